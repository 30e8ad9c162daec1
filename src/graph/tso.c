/* SPDX-License-Identifier: Apache-2.0 */
/* Total store order, as on x86: a read may overtake its thread's earlier writes, until something
 * drains the store buffer; a thread sees its own writes at once.
 *
 * Read-modify-writes, seq_cst stores and fences, and what synchronises drain; weaker orders are
 * those of the machine anyway. (Owens, Sarkar, Sewell: A better x86 memory model, 2009.) */
#include "graph/graph_int.h"

/* The last write, and the last event that later reads stay behind, of each thread. */
typedef struct kept_order {
    uint32_t write, other;
} kept_order;
TD_VEC(kept_order, kept_order_vec);

static void edge(grf_edge_vec *out, uint32_t from, uint32_t to)
{
    if (from != GRF_NONE && from != GRF_INIT && from != to)
        grf_edge_vec_push(out, (grf_edge){from, to});
}

static void keep(const grf *g, uint32_t i, kept_order *t, grf_edge_vec *out)
{
    const grf_event *e = &g->events.at[i];
    if (!grf_is_access(e) && !e->drains) /* a weaker fence has no instruction */
        return;
    bool is_buffered = e->kind == GRF_WRITE && !e->drains;
    bool is_plain_read = e->kind == GRF_READ && !e->drains;
    edge(out, t->other, i);
    if (!is_plain_read)
        edge(out, t->write, i);
    if (e->kind == GRF_WRITE || e->drains)
        t->write = i;
    if (!is_buffered)
        t->other = i;
}

static void kept_edges(const grf *g, grf_edge_vec *out)
{
    kept_order_vec threads = {0};
    for (uint32_t i = 0; i < g->n_threads; i++)
        kept_order_vec_push(&threads, (kept_order){GRF_NONE, GRF_NONE});
    for (uint32_t i = 0; i < g->events.len; i++) {
        const grf_event *e = &g->events.at[i];
        kept_order *t = &threads.at[e->thread];
        bool is_first = t->write == GRF_NONE && t->other == GRF_NONE;
        if (is_first)
            *t = (kept_order){e->before, e->before};
        keep(g, i, t, out);
        if (e->kind == GRF_OTHER)
            edge(out, e->from, i);
    }
    kept_order_vec_fini(&threads);
}

/* Accesses of one thread to one location stay in their order. */
static bool is_coherent(const grf *g)
{
    for (uint32_t i = 0; i < g->events.len; i++) {
        const grf_event *e = &g->events.at[i];
        if (!grf_is_access(e))
            continue;
        uint32_t j = e->before;
        while (j != GRF_NONE && (!grf_is_access(&g->events.at[j]) ||
                                 g->events.at[j].location != e->location))
            j = g->events.at[j].before;
        if (j != GRF_NONE && grf_place(g, &g->events.at[j]) > grf_place(g, e))
            return false;
    }
    return true;
}

bool grf_tso(const grf *g, grf_scratch *scratch)
{
    if (!is_coherent(g))
        return false;
    grf_edge_vec_clear(&scratch->edges);
    grf_edges_native(g, &scratch->writes, &scratch->edges);
    if (!grf_acyclic(scratch, (uint32_t)g->events.len))
        return false;
    grf_edge_vec_clear(&scratch->edges);
    kept_edges(g, &scratch->edges);
    grf_edges_communication(g, &scratch->writes, true, &scratch->edges);
    return grf_acyclic(scratch, (uint32_t)g->events.len);
}
