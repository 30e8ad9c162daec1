/* SPDX-License-Identifier: Apache-2.0 */
/* The graph itself: events, ranks, values. */
#include "graph/graph_int.h"

#include "base/assert.h"
#include "wire/rmw.h"

void grf_clear(grf *g)
{
    grf_event_vec_clear(&g->events);
    grf_u64_vec_clear(&g->inits);
    g->n_threads = 0;
    g->is_by_inputs = false;
}

void grf_fini(grf *g)
{
    grf_event_vec_fini(&g->events);
    grf_u64_vec_fini(&g->inits);
    g->n_threads = 0;
    g->is_by_inputs = false;
}

void grf_copy(grf *to, const grf *from)
{
    grf_clear(to);
    grf_event_vec_append(&to->events, from->events.at, from->events.len);
    grf_u64_vec_append(&to->inits, from->inits.at, from->inits.len);
    to->n_threads = from->n_threads;
    to->is_by_inputs = from->is_by_inputs;
}

/* ---- ranks ---- */

uint32_t grf_last_rank(const grf *g, uint32_t location)
{
    uint32_t n = 0;
    for (size_t i = 0; i < g->events.len; i++)
        n += g->events.at[i].kind == GRF_WRITE && g->events.at[i].location == location;
    return n;
}

uint32_t grf_write_at(const grf *g, uint32_t location, uint32_t rank)
{
    for (uint32_t i = 0; rank > 0 && i < g->events.len; i++) {
        const grf_event *e = &g->events.at[i];
        if (e->kind == GRF_WRITE && e->location == location && e->rank == rank)
            return i;
    }
    TD_ASSERT(rank == 0);
    return GRF_INIT;
}

uint32_t grf_from_rank(const grf *g, const grf_event *read)
{
    TD_DASSERT(read->kind == GRF_READ);
    return read->from == GRF_INIT ? 0 : g->events.at[read->from].rank;
}

uint32_t grf_add(grf *g, grf_event e)
{
    TD_ASSERT(e.before == GRF_NONE || e.before < g->events.len);
    if (e.kind == GRF_WRITE) {
        TD_ASSERT(e.rank > 0 && e.rank <= grf_last_rank(g, e.location) + 1);
        for (size_t i = 0; i < g->events.len; i++) {
            grf_event *other = &g->events.at[i];
            if (other->kind == GRF_WRITE && other->location == e.location)
                other->rank += other->rank >= e.rank;
        }
    }
    grf_event_vec_push(&g->events, e);
    return (uint32_t)g->events.len - 1;
}

/* ---- values ---- */

uint64_t grf_value_of(const grf *g, const grf_event *read)
{
    if (read->from != GRF_INIT)
        return g->events.at[read->from].value;
    return g->inits.at[read->location];
}

static grf_leaves found_by(const grf *g, const grf_event *read)
{
    return read->from == GRF_INIT ? GRF_UNKNOWN
                                  : (grf_leaves)g->events.at[read->from].leaves;
}

bool grf_has_to_wait(const grf *g, const grf_event *read)
{
    return read->waits_if >> found_by(g, read) & 1;
}

bool grf_will_update(const grf *g, const grf_event *read)
{
    switch (read->updates) {
    case GRF_NEVER:
        return false;
    case GRF_IF_EQUAL:
        return grf_value_of(g, read) == read->operand;
    case GRF_IF_OPEN:
        return !(read->fails_if >> found_by(g, read) & 1);
    default:
        return true;
    }
}

uint64_t grf_written(const grf *g, const grf_event *read)
{
    if (read->is_sync)
        return 0;
    if (read->updates == GRF_IF_EQUAL)
        return read->desired;
    return wire_rmw_result(read->rmw, read->size, grf_value_of(g, read), read->operand);
}

void grf_turn(grf_event *read, bool updates)
{
    TD_ASSERT(read->kind == GRF_READ);
    if (read->updates == GRF_IF_EQUAL && read->is_update != updates) {
        uint8_t order = read->order;
        read->order = read->otherwise;
        read->otherwise = order;
    }
    read->is_update = updates;
}
