/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of graph/ share. */
#pragma once

#include "graph/graph.h"

/* Edges between events, and whether they form a cycle. */
typedef struct grf_edge {
    uint32_t from, to;
} grf_edge;
TD_VEC(grf_edge, grf_edge_vec);

typedef struct grf_scratch grf_scratch;

/* An order that respects scratch->edges, smaller numbers first, event late as late as can be (GRF_NONE:
 * none), in scratch->order; false: there is a cycle. */
bool grf_sorted(grf_scratch *scratch, uint32_t n, uint32_t late);
/* In any order. */
bool grf_acyclic(grf_scratch *scratch, uint32_t n);

/* Writes by location and rank: at[first[location] + rank], rank 0 is GRF_INIT. */
typedef struct grf_writes {
    grf_u32_vec first, at;
} grf_writes;
void grf_writes_of(const grf *g, grf_writes *out);
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

/* Happens-before: the clock of each event counts the events of each thread before it, itself included. A
 * write also has the clock that acquiring reads join, by its release sequence; a thread has the clocks that
 * its relaxed reads have seen, for an acquire fence. */
typedef struct grf_hb {
    const grf *g;
    uint32_t n, n_threads;
    grf_u32_vec nth;      /* by event: its number in its thread, from 1 */
    grf_u32_vec clocks;   /* n rows of n_threads */
    grf_u32_vec messages; /* likewise, of writes */
    grf_u32_vec apart;    /* likewise, of sync writes: what is kept apart */
    grf_u32_vec seen;     /* a row for each thread */
    grf_u32_vec released; /* likewise: the last release fence */
} grf_hb;

/* Returns false if there is no order of execution. */
bool grf_hb_of(const grf *g, const grf_writes *w, grf_scratch *scratch);
static inline bool grf_happens_before(const grf_hb *h, uint32_t a, uint32_t b)
{
    return a != b && h->clocks.at[(size_t)b * h->n_threads + h->g->events.at[a].thread] >=
                         h->nth.at[a];
}

/* A relation between events as rows of bits. */
typedef struct grf_bits {
    uint32_t words;
    grf_u64_vec at;
} grf_bits;

/* What psc is made of. */
typedef struct grf_psc {
    grf_bits happens; /* happens-before */
    grf_bits away;    /* program order to another location, or to no access */
    grf_bits scb;
    grf_bits eco;
    grf_bits edges; /* psc, among seq_cst events */
    grf_bits set;   /* set of one event */
} grf_psc;

/* What the check of a graph needs; used again for the next one. All-zero is empty. */
struct grf_scratch {
    grf_writes writes;
    grf_edge_vec edges;
    grf_u32_vec order;              /* what grf_sorted gives */
    grf_u32_vec waits, first, next; /* used by grf_sorted */
    grf_u64_vec ready;
    grf_u32_vec places; /* grf_place of each access */
    grf_hb hb;
    grf_psc psc;
};

void grf_scratch_fini(grf_scratch *scratch);

/* Adds the edges of every model: from and, on sync locations, mo and from-read. */
void grf_edges_native(const grf *g, const grf_writes *w, grf_edge_vec *out);
/* rf (of other threads only: external), mo and from-read of all locations. */
void grf_edges_communication(const grf *g, const grf_writes *w, bool external,
                             grf_edge_vec *out);
/* Events of a graph that is consistent without them, or without what they read: nothing that they
 * read from is known yet to any other event. GRF_NONE: any may be wrong. */
typedef struct grf_news {
    uint32_t write, read;
} grf_news;
#define GRF_ALL_NEW ((grf_news){GRF_NONE, GRF_NONE})

/* grf_consistent with scratch of the caller's. */
bool grf_check(const grf *g, grf_model model, grf_news news, grf_scratch *scratch);
bool grf_sc(const grf *g, grf_scratch *scratch);
bool grf_tso(const grf *g, grf_scratch *scratch);
bool grf_rc11(const grf *g, grf_news news, grf_scratch *scratch);
