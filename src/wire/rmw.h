/* SPDX-License-Identifier: Apache-2.0 */
/* wire/rmw.h - what read-modify-writes write. */
#pragma once

#include <stdbool.h>

#include "wire/hooks.h"

static inline uint64_t wire_low_bytes(uint64_t value, uint32_t size)
{
    return size >= 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1);
}

static inline int64_t wire_signed_of(uint64_t value, uint32_t size)
{
    uint32_t shift = size >= 8 ? 0 : 64 - 8 * size;
    return (int64_t)(value << shift) >> shift;
}

/* rmw: enum wire_rmw; old and operand have size bytes. */
static inline uint64_t wire_rmw_result(uint8_t rmw, uint32_t size, uint64_t old,
                                       uint64_t operand)
{
    uint64_t a = wire_low_bytes(operand, size);
    bool less = wire_signed_of(old, size) < wire_signed_of(a, size);
    switch (rmw) {
    case WIRE_RMW_XCHG:
        return a;
    case WIRE_RMW_ADD:
        return wire_low_bytes(old + a, size);
    case WIRE_RMW_SUB:
        return wire_low_bytes(old - a, size);
    case WIRE_RMW_AND:
        return old & a;
    case WIRE_RMW_NAND:
        return wire_low_bytes(~(old & a), size);
    case WIRE_RMW_OR:
        return old | a;
    case WIRE_RMW_XOR:
        return old ^ a;
    case WIRE_RMW_MAX:
        return less ? a : old;
    case WIRE_RMW_MIN:
        return less ? old : a;
    case WIRE_RMW_UMAX:
        return old < a ? a : old;
    case WIRE_RMW_UMIN:
        return old < a ? old : a;
    default:
        return old;
    }
}
