/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of graph/ share. */
#pragma once

#include "graph/graph.h"

/* Edges between events, and whether they form a cycle. */
typedef struct grf_edge {
    uint32_t from, to;
} grf_edge;
TD_VEC(grf_edge, grf_edge_vec);

/* An order that respects the edges, smaller numbers first, event late as late as can be (GRF_NONE:
 * none); false: there is a cycle. */
bool grf_sorted(uint32_t n, const grf_edge_vec *edges, uint32_t late, grf_u32_vec *out);
bool grf_acyclic(uint32_t n, const grf_edge_vec *edges);

/* Writes by location and rank: at[first[location] + rank], rank 0 is GRF_INIT. */
typedef struct grf_writes {
    grf_u32_vec first, at;
} grf_writes;
void grf_writes_of(const grf *g, grf_writes *out);
void grf_writes_fini(grf_writes *w);
static inline uint32_t grf_writes_at(const grf_writes *w, uint32_t location,
                                     uint32_t rank)
{
    return w->at.at[w->first.at[location] + rank];
}
static inline uint32_t grf_writes_last(const grf_writes *w, uint32_t location)
{
    return w->first.at[location + 1] - w->first.at[location] - 1;
}

static inline bool grf_is_access(const grf_event *e)
{
    return e->kind == GRF_READ || e->kind == GRF_WRITE;
}

/* Place of an access among those of its location: a write of rank k has 2k, its readers 2k + 1.
 * rf, mo and what follows from both lead from smaller to larger ones, and any two that differ are
 * so related. */
static inline uint32_t grf_place(const grf *g, const grf_event *e)
{
    return e->kind == GRF_WRITE ? 2 * e->rank : 2 * grf_from_rank(g, e) + 1;
}

/* Adds the edges of every model: from and, on sync locations, mo and from-read. */
void grf_edges_native(const grf *g, const grf_writes *w, grf_edge_vec *out);
/* rf (of other threads only: external), mo and from-read of all locations. */
void grf_edges_communication(const grf *g, const grf_writes *w, bool external,
                             grf_edge_vec *out);
bool grf_sc(const grf *g, const grf_writes *w);
bool grf_tso(const grf *g, const grf_writes *w);
bool grf_rc11(const grf *g, const grf_writes *w);
