/* SPDX-License-Identifier: Apache-2.0 */
/* Happens-before of C11, as clocks. */
#include "graph/graph_int.h"

#include "base/assert.h"

static bool acquires(uint8_t order)
{
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME ||
           order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static bool releases(uint8_t order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL ||
           order == __ATOMIC_SEQ_CST;
}

static uint32_t *row(const grf_hb *h, const grf_u32_vec *rows, uint32_t i)
{
    return rows->at + (size_t)i * h->n_threads;
}

static void join(const grf_hb *h, uint32_t *to, const uint32_t *from)
{
    for (uint32_t t = 0; t < h->n_threads; t++)
        to[t] = to[t] > from[t] ? to[t] : from[t];
}

static void rows_init(const grf_hb *h, grf_u32_vec *rows, uint32_t n)
{
    size_t len = (size_t)n * h->n_threads;
    grf_u32_vec_reserve(rows, len + 1);
    memset(rows->at, 0, len * sizeof(uint32_t));
    rows->len = len;
}

/* Continues an earlier release of the same thread to the location with its later writes. */
static void own_sequence(grf_hb *h, uint32_t i)
{
    const grf_event *e = &h->g->events.at[i];
    for (uint32_t j = e->before; j != GRF_NONE; j = h->g->events.at[j].before) {
        const grf_event *other = &h->g->events.at[j];
        if (other->thread != e->thread)
            return;
        if (other->kind == GRF_WRITE && other->location == e->location &&
            releases(other->order)) {
            join(h, row(h, &h->messages, i), row(h, &h->clocks, j));
            return;
        }
    }
}

/* The read of an update has learnt, its write leaves. */
static void sync_event(grf_hb *h, uint32_t i)
{
    const grf_event *e = &h->g->events.at[i];
    const grf_event *read = e->kind == GRF_READ ? e : &h->g->events.at[e->before];
    uint32_t *clock = row(h, &h->clocks, i);
    if (e->kind == GRF_READ) {
        if (e->from == GRF_INIT || e->is_stuck)
            return;
        if (e->acquires & GRF_ALL)
            join(h, clock, row(h, &h->messages, e->from));
        if (e->acquires & GRF_APART)
            join(h, clock, row(h, &h->apart, e->from));
        return;
    }
    uint32_t *message = row(h, &h->messages, i), *apart = row(h, &h->apart, i);
    if (read->from != GRF_INIT) {
        join(h, message, row(h, &h->messages, read->from));
        join(h, apart, row(h, &h->apart, read->from));
    }
    if (e->releases & GRF_ALL)
        join(h, message, clock);
    if (e->releases & GRF_APART)
        join(h, apart, clock);
    if (e->releases & GRF_ROUND)
        join(h, apart, message);
}

static void read_event(grf_hb *h, uint32_t i)
{
    const grf_event *e = &h->g->events.at[i];
    if (e->from == GRF_INIT || e->is_stuck)
        return;
    const uint32_t *message = row(h, &h->messages, e->from);
    join(h, acquires(e->order) ? row(h, &h->clocks, i) : row(h, &h->seen, e->thread),
         message);
}

static void write_event(grf_hb *h, uint32_t i)
{
    const grf_event *e = &h->g->events.at[i];
    uint32_t *message = row(h, &h->messages, i);
    join(h, message,
         releases(e->order) ? row(h, &h->clocks, i) : row(h, &h->released, e->thread));
    if (!releases(e->order))
        own_sequence(h, i);
    if (!e->is_update)
        return;
    const grf_event *read = &h->g->events.at[e->before];
    if (read->from != GRF_INIT)
        join(h, message, row(h, &h->messages, read->from));
}

static void fence_event(grf_hb *h, uint32_t i)
{
    const grf_event *e = &h->g->events.at[i];
    uint32_t *clock = row(h, &h->clocks, i);
    if (acquires(e->order))
        join(h, clock, row(h, &h->seen, e->thread));
    if (releases(e->order))
        memcpy(row(h, &h->released, e->thread), clock, h->n_threads * sizeof(uint32_t));
}

/* In an order of execution, so that what an event depends on is there. */
static void event_clock(grf_hb *h, uint32_t i)
{
    const grf_event *e = &h->g->events.at[i];
    uint32_t *clock = row(h, &h->clocks, i);
    if (e->before != GRF_NONE)
        join(h, clock, row(h, &h->clocks, e->before));
    clock[e->thread] = h->nth.at[i];
    if (e->kind == GRF_OTHER && e->from != GRF_NONE)
        join(h, clock, row(h, &h->clocks, e->from));
    if (e->is_sync)
        sync_event(h, i);
    else if (e->kind == GRF_READ)
        read_event(h, i);
    else if (e->kind == GRF_WRITE)
        write_event(h, i);
    else if (e->kind == GRF_FENCE)
        fence_event(h, i);
}

bool grf_hb_of(const grf *g, const grf_writes *w, grf_scratch *scratch)
{
    grf_hb *h = &scratch->hb;
    h->g = g;
    h->n = (uint32_t)g->events.len;
    h->n_threads = g->n_threads;
    grf_edge_vec_clear(&scratch->edges);
    grf_edges_native(g, w, &scratch->edges);
    if (!grf_acyclic(scratch, h->n))
        return false;
    rows_init(h, &h->seen, h->n_threads); /* first the counts of threads */
    grf_u32_vec_clear(&h->nth);
    for (uint32_t i = 0; i < h->n; i++)
        grf_u32_vec_push(&h->nth, ++h->seen.at[g->events.at[i].thread]);
    rows_init(h, &h->clocks, h->n);
    rows_init(h, &h->messages, h->n);
    rows_init(h, &h->apart, h->n);
    rows_init(h, &h->seen, h->n_threads);
    rows_init(h, &h->released, h->n_threads);
    for (uint32_t i = 0; i < h->n; i++)
        event_clock(h, scratch->order.at[i]);
    return true;
}
