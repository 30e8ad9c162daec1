/* SPDX-License-Identifier: Apache-2.0 */
/* The objects of operations, and which operations depend on each other. */
#include "runtime/core/core.h"

/* The bytes that represent an access: its whole granule if other accesses may overlap it in part. */
typedef struct bytes {
    uint64_t start, end;
} bytes;

bool rt_op_is_whole(const rt_op *op)
{
    bool is_access = mdl_reads(op->kind) || mdl_writes(op->kind);
    return rt->has_wide && is_access && op->size > 0 &&
           op->object % WIRE_GRANULE + op->size <= WIRE_GRANULE;
}

static bytes bytes_of(const rt_op *op)
{
    if (!rt_op_is_whole(op))
        return (bytes){op->object, op->object + op->size};
    uint64_t start = op->object & -(uint64_t)WIRE_GRANULE;
    return (bytes){start, start + WIRE_GRANULE};
}

uint64_t rt_op_model(const rt_op *op)
{
    return rt_op_is_whole(op) ? bytes_of(op).start + 1 : op->object;
}

bool rt_depends(const rt_op *done, uint8_t kind, const rt_op *waiting)
{
    RT_ASSERT(kind < WIRE_N_OPS && waiting->kind < WIRE_N_OPS);
    if (!mdl_kinds_depend(kind, waiting->kind))
        return false;
    if (!mdl_is_access(kind))
        return done->object == waiting->object;
    bytes a = bytes_of(done), b = bytes_of(waiting);
    return a.start < b.end && b.start < a.end;
}

uint8_t rt_op_patience(const rt_op *op)
{
    if (mdl_when_of(op->kind) == MDL_WHEN_A)
        return 0;
    return (op->patient ? WIRE_F_PATIENT : 0) |
           (op->cancellable ? WIRE_F_CANCELLABLE : 0) |
           (op->interruptible ? WIRE_F_INTERRUPTIBLE : 0);
}
