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

void grf_writes_fini(grf_writes *w)
{
    grf_u32_vec_fini(&w->first);
    grf_u32_vec_fini(&w->at);
}

static void edge(grf_edge_vec *out, uint32_t from, uint32_t to)
{
    if (from != GRF_INIT && from != GRF_NONE)
        grf_edge_vec_push(out, (grf_edge){from, to});
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

/* Kahn's way, with the smallest number first: the graphs are small. */
bool grf_sorted(uint32_t n, const grf_edge_vec *edges, uint32_t late, grf_u32_vec *out)
{
    TD_ASSERT(late == GRF_NONE || late < n);
    grf_u32_vec waits = {0}, first = {0}, next = {0};
    grf_u32_vec_reserve(&waits, n + 1);
    grf_u32_vec_reserve(&first, n + 1);
    grf_u32_vec_reserve(&next, edges->len + 1);
    memset(waits.at, 0, n * sizeof(uint32_t));
    memset(first.at, 0xff, n * sizeof(uint32_t));
    for (uint32_t i = 0; i < edges->len; i++) {
        waits.at[edges->at[i].to]++;
        next.at[i] = first.at[edges->at[i].from];
        first.at[edges->at[i].from] = i;
    }
    grf_u32_vec_clear(out);
    uint32_t at = 0;
    while (out->len < n) {
        while (at < n && (waits.at[at] > 0 || (at == late && out->len + 1 < n)))
            at++;
        if (at == n && late != GRF_NONE && waits.at[late] == 0) {
            at = late; /* others wait for it */
            late = GRF_NONE;
        }
        if (at >= n)
            break;
        uint32_t done = at;
        waits.at[done] = UINT32_MAX;
        grf_u32_vec_push(out, done);
        at = 0;
        for (uint32_t i = first.at[done]; i != UINT32_MAX; i = next.at[i])
            waits.at[edges->at[i].to]--;
    }
    bool is_whole = out->len == n;
    grf_u32_vec_fini(&waits);
    grf_u32_vec_fini(&first);
    grf_u32_vec_fini(&next);
    return is_whole;
}

bool grf_acyclic(uint32_t n, const grf_edge_vec *edges)
{
    grf_u32_vec order = {0};
    bool is = grf_sorted(n, edges, GRF_NONE, &order);
    grf_u32_vec_fini(&order);
    return is;
}

bool grf_execution(const grf *g, uint32_t last, grf_u32_vec *out)
{
    grf_writes w = {0};
    grf_edge_vec edges = {0};
    grf_writes_of(g, &w);
    grf_edges_native(g, &w, &edges);
    bool is = grf_sorted((uint32_t)g->events.len, &edges, last, out);
    grf_edge_vec_fini(&edges);
    grf_writes_fini(&w);
    return is;
}
