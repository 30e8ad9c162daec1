/* SPDX-License-Identifier: Apache-2.0 */
/* What comes before what: writes by rank, edges between events, orders of execution. */
#include "graph/graph_int.h"

#include "base/assert.h"

void grf_writes_of(const grf *g, grf_writes *out)
{
    size_t n = g->inits.len;
    grf_u32_vec_clear(&out->first);
    grf_u32_vec_reserve(&out->first, n + 1);
    out->first.len = n + 1;
    memset(out->first.at, 0, (n + 1) * sizeof(uint32_t));
    for (size_t i = 0; i < g->events.len; i++)
        if (g->events.at[i].kind == GRF_WRITE)
            out->first.at[g->events.at[i].location + 1]++;
    for (size_t i = 0; i < n; i++)
        out->first.at[i + 1] += out->first.at[i] + 1;
    size_t total = out->first.at[n];
    grf_u32_vec_reserve(&out->at, total + 1);
    out->at.len = total;
    for (size_t i = 0; i < n; i++)
        out->at.at[out->first.at[i]] = GRF_INIT;
    for (uint32_t i = 0; i < g->events.len; i++) {
        const grf_event *e = &g->events.at[i];
        if (e->kind == GRF_WRITE)
            out->at.at[out->first.at[e->location] + e->rank] = i;
    }
}

/* Has room for at most three edges per event. */
static void edge(grf_edge_vec *out, uint32_t from, uint32_t to)
{
    TD_DASSERT(out->len < out->cap);
    out->at[out->len] = (grf_edge){from, to};
    out->len += from < GRF_INIT;
}

static void make_room(const grf *g, grf_edge_vec *out)
{
    grf_edge_vec_reserve(out, out->len + 3 * g->events.len + 1);
}

/* What follows e in mo, or in from-read: its neighbour, as the rest follows from that; GRF_NONE. */
static uint32_t behind(const grf *g, const grf_writes *w, const grf_event *e)
{
    uint32_t rank = e->kind == GRF_WRITE ? e->rank : grf_from_rank(g, e);
    bool is_last = rank == grf_writes_last(w, e->location);
    return is_last ? GRF_NONE : grf_writes_at(w, e->location, rank + 1);
}

void grf_edges_communication(const grf *g, const grf_writes *w, bool external,
                             grf_edge_vec *out)
{
    make_room(g, out);
    for (uint32_t i = 0; i < g->events.len; i++) {
        const grf_event *e = &g->events.at[i];
        if (!grf_is_access(e))
            continue;
        bool is_own = e->kind == GRF_READ && e->from != GRF_INIT &&
                      g->events.at[e->from].thread == e->thread;
        if (e->kind == GRF_READ && !(external && is_own))
            edge(out, e->from, i);
        uint32_t next = behind(g, w, e);
        if (next != GRF_NONE)
            edge(out, i, next);
    }
}

void grf_edges_native(const grf *g, const grf_writes *w, grf_edge_vec *out)
{
    make_room(g, out);
    for (uint32_t i = 0; i < g->events.len; i++) {
        const grf_event *e = &g->events.at[i];
        edge(out, e->before, i);
        if (e->kind == GRF_READ || e->kind == GRF_OTHER)
            edge(out, e->from, i);
        if (!grf_is_access(e) || !e->is_sync || e->is_stuck)
            continue;
        uint32_t next = behind(g, w, e);
        if (next != GRF_NONE && g->events.at[next].is_update)
            next = g->events.at[next].before; /* an update is executed when its read is */
        if (next != GRF_NONE && next != i)
            edge(out, i, next);
    }
}

/* ---- sorting ---- */

/* How many edges lead to each event, and those that leave it, as lists. */
static void count_edges(grf_scratch *r, uint32_t n)
{
    grf_u32_vec_reserve(&r->waits, n + 1);
    grf_u32_vec_reserve(&r->first, n + 1);
    grf_u32_vec_reserve(&r->next, r->edges.len + 1);
    memset(r->waits.at, 0, n * sizeof(uint32_t));
    memset(r->first.at, 0xff, n * sizeof(uint32_t));
    for (uint32_t i = 0; i < r->edges.len; i++) {
        const grf_edge *e = &r->edges.at[i];
        r->waits.at[e->to]++;
        r->next.at[i] = r->first.at[e->from];
        r->first.at[e->from] = i;
    }
    grf_u32_vec_clear(&r->order);
    grf_u32_vec_reserve(&r->order, n + 1);
}

bool grf_acyclic(grf_scratch *r, uint32_t n)
{
    count_edges(r, n);
    for (uint32_t i = 0; i < n; i++)
        if (r->waits.at[i] == 0)
            grf_u32_vec_push(&r->order, i);
    for (size_t k = 0; k < r->order.len; k++)
        for (uint32_t i = r->first.at[r->order.at[k]]; i != UINT32_MAX; i = r->next.at[i])
            if (--r->waits.at[r->edges.at[i].to] == 0)
                grf_u32_vec_push(&r->order, r->edges.at[i].to);
    return r->order.len == n;
}

static void set_ready(grf_scratch *r, uint32_t i)
{
    r->ready.at[i / 64] |= UINT64_C(1) << (i % 64);
}

/* The smallest event that waits for none, but not late; GRF_NONE. */
static uint32_t take_ready(grf_scratch *r, uint32_t late)
{
    for (size_t w = 0; w < r->ready.len; w++) {
        uint64_t word = r->ready.at[w];
        if (late != GRF_NONE && late / 64 == w)
            word &= ~(UINT64_C(1) << (late % 64));
        if (!word)
            continue;
        r->ready.at[w] &= ~(word & -word);
        return (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(word);
    }
    return GRF_NONE;
}

bool grf_sorted(grf_scratch *r, uint32_t n, uint32_t late)
{
    TD_ASSERT(late == GRF_NONE || late < n);
    count_edges(r, n);
    r->ready.len = 0;
    grf_u64_vec_reserve(&r->ready, n / 64 + 1);
    r->ready.len = n / 64 + 1;
    memset(r->ready.at, 0, r->ready.len * sizeof(uint64_t));
    for (uint32_t i = 0; i < n; i++)
        if (r->waits.at[i] == 0)
            set_ready(r, i);
    while (r->order.len < n) {
        uint32_t done = take_ready(r, late);
        if (done == GRF_NONE) {
            if (late == GRF_NONE || r->waits.at[late] > 0)
                return false;
            done = late; /* others wait for it, or it is the last */
            late = GRF_NONE;
            r->ready.at[done / 64] &= ~(UINT64_C(1) << (done % 64));
        }
        grf_u32_vec_push(&r->order, done);
        for (uint32_t i = r->first.at[done]; i != UINT32_MAX; i = r->next.at[i])
            if (--r->waits.at[r->edges.at[i].to] == 0)
                set_ready(r, r->edges.at[i].to);
    }
    return true;
}

void grf_scratch_fini(grf_scratch *scratch)
{
    grf_u32_vec *const numbers[] = {&scratch->writes.first, &scratch->writes.at,
                                    &scratch->order,        &scratch->waits,
                                    &scratch->first,        &scratch->next,
                                    &scratch->places,       &scratch->hb.nth,
                                    &scratch->hb.clocks,    &scratch->hb.messages,
                                    &scratch->hb.apart,     &scratch->hb.seen,
                                    &scratch->hb.released};
    grf_u64_vec *const words[] = {&scratch->ready,       &scratch->psc.happens.at,
                                  &scratch->psc.away.at, &scratch->psc.scb.at,
                                  &scratch->psc.eco.at,  &scratch->psc.edges.at,
                                  &scratch->psc.set.at};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        grf_u32_vec_fini(numbers[i]);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        grf_u64_vec_fini(words[i]);
    grf_edge_vec_fini(&scratch->edges);
}

bool grf_execution(const grf *g, uint32_t last, grf_u32_vec *out)
{
    grf_scratch scratch = {0};
    grf_writes_of(g, &scratch.writes);
    grf_edges_native(g, &scratch.writes, &scratch.edges);
    bool is = grf_sorted(&scratch, (uint32_t)g->events.len, last);
    grf_u32_vec_clear(out);
    grf_u32_vec_append(out, scratch.order.at, scratch.order.len);
    grf_scratch_fini(&scratch);
    return is;
}
