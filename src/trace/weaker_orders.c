/* SPDX-License-Identifier: Apache-2.0 */
/* Memory orders of atomic operations: their names, and which orders are weaker. */
#include "trace/weaker_orders.h"

#include <string.h>

#include "base/assert.h"

static const struct {
    uint8_t kind;
    const char *name;
} ordered[] = {{WIRE_LOAD, "load"}, {WIRE_STORE, "store"},         {WIRE_RMW, "rmw"},
               {WIRE_CAS, "cas"},   {WIRE_CAS_FAIL, "cas-failed"}, {WIRE_FENCE, "fence"}};
#define N_ORDERED (sizeof ordered / sizeof ordered[0])

static const char *const orders[] = {"relaxed", "consume", "acquire",
                                     "release", "acq_rel", "seq_cst"};
#define N_ORDERS (sizeof orders / sizeof orders[0])

size_t trc_ordered_index(uint8_t kind)
{
    size_t i = 0;
    while (i < N_ORDERED && ordered[i].kind != kind)
        i++;
    return i;
}

const char *trc_ordered_name(uint8_t kind)
{
    size_t i = trc_ordered_index(kind);
    return i < N_ORDERED ? ordered[i].name : NULL;
}

bool trc_ordered_named(const char *name, uint8_t *out)
{
    for (size_t i = 0; i < N_ORDERED; i++) {
        if (strcmp(ordered[i].name, name) != 0)
            continue;
        *out = ordered[i].kind;
        return true;
    }
    return false;
}

const char *trc_order_name(uint8_t kind, uint8_t order)
{
    TD_ASSERT(order < N_ORDERS);
    return mdl_is_fence(kind) && order == __ATOMIC_RELAXED ? "none" : orders[order];
}

bool trc_order_named(uint8_t kind, const char *name, uint8_t *out)
{
    for (uint8_t i = 0; i < N_ORDERS; i++) {
        if (strcmp(trc_order_name(kind, i), name) != 0)
            continue;
        *out = i;
        return true;
    }
    return false;
}

bool trc_has_order(const trc_op *op, uint8_t *kind)
{
    *kind = trc_turned(op);
    return trc_ordered_name(*kind) && !trc_is_promoted(op) && op->order < N_ORDERS;
}

size_t trc_weaker_orders(uint8_t kind, uint8_t order, uint8_t out[TRC_MAX_WEAKER])
{
    TD_ASSERT(trc_ordered_name(kind));
    bool reads = mdl_is_fence(kind) || mdl_reads(kind),
         writes = mdl_is_fence(kind) || mdl_writes(kind);
    switch (order) {
    case __ATOMIC_SEQ_CST:
        out[0] = !writes  ? __ATOMIC_ACQUIRE
                 : !reads ? __ATOMIC_RELEASE
                          : __ATOMIC_ACQ_REL;
        return 1;
    case __ATOMIC_ACQ_REL:
        out[0] = __ATOMIC_ACQUIRE;
        out[1] = __ATOMIC_RELEASE;
        return 2;
    case __ATOMIC_RELAXED:
        return 0;
    default:
        out[0] = __ATOMIC_RELAXED;
        return 1;
    }
}

wire_weaker trc_weaker_wire(const trc_weaker *w)
{
    TD_ASSERT(trc_ordered_name(w->kind) && w->order < N_ORDERS && w->to < N_ORDERS);
    return (wire_weaker){.file = wire_file_hash(w->file),
                         .line = w->line,
                         .column = w->column,
                         .kind = w->kind,
                         .order = w->order,
                         .to = w->to};
}
