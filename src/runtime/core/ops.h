/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/ops.h - what a kind of operation means (wire/ops.def), as the runtime asks it. The tool's
 * side is trace/depend.h; tests/unit/test_depend.c compares the two. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

#define RT_OPS_TABLE extern __attribute__((visibility("hidden"))) const

enum rt_effect { RT_EFFECT_N, RT_EFFECT_S, RT_EFFECT_E };
/* What an operation has to be asked before it is granted. */
enum rt_when { RT_WHEN_A, RT_WHEN_O, RT_WHEN_R, RT_WHEN_W, RT_WHEN_J };

/* By kind. */
RT_OPS_TABLE uint8_t rt_effect[WIRE_N_OPS]; /* enum rt_effect */
RT_OPS_TABLE uint8_t rt_when[WIRE_N_OPS];   /* enum rt_when */
RT_OPS_TABLE uint8_t rt_does[WIRE_N_OPS];   /* enum wire_does */
RT_OPS_TABLE uint8_t rt_type[WIRE_N_OPS];   /* enum wire_type */
RT_OPS_TABLE bool rt_on_bytes[WIRE_N_OPS];  /* the object is bytes */
RT_OPS_TABLE bool rt_looks[WIRE_N_OPS];     /* it only looks */

const char *rt_kind_text(uint8_t kind);

/* True if two operations of these kinds depend on each other where they are about the same bytes
 * or the same object. */
bool rt_kinds_depend(uint8_t a, uint8_t b);

/* Accesses of memory. */
static inline bool rt_reads(uint8_t kind)
{
    return rt_does[kind] == WIRE_DOES_READ || rt_does[kind] == WIRE_DOES_UPDATE;
}
static inline bool rt_writes(uint8_t kind)
{
    return rt_does[kind] == WIRE_DOES_WRITE || rt_does[kind] == WIRE_DOES_UPDATE;
}
