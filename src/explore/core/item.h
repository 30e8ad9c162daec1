/* SPDX-License-Identifier: Apache-2.0 */
/* explore/core/item.h - a part of a search that can be done by itself.
 *
 * Purpose     Describes remaining work of a search, to be stored or sent to another process and
 *             continued there: docs/parallel.md.
 * Words       item: the maximal configurations that have the events of some literals and lack
 *             those of others. literal: an event and whether it is there.
 *             own: an event belongs to the item if it fits with all events the item has and is in
 *             conflict with all it lacks. In any partition each event belongs to one item.
 * Invariants  (T1) the causes of the events an item has fit together; an event it lacks fits with
 *                  those of the literals before it;
 *             (T2) an item without literals is the whole search. An item (L) falls into (L, has e)
 *                  and (L, lacks e): nothing is in both, nothing in neither.
 *             (T3) an item has literals or graphs, not both: those of a search that it is for.
 * Cost        A literal holds the steps of a run of the causes of its event; a graph, of all its
 *             events.
 */
#pragma once

#include "base/id.h"
#include "base/status.h"
#include "explore/core/number_bytes.h"
#include "graph/graph.h"
#include "trace/trace.h"

typedef struct xpl_literal {
    bool has;              /* every run of the item has the event; else none */
    td_id event;           /* its id */
    trc_step_vec steps;    /* a run that begins so executes it ... */
    trc_chosen_vec inputs; /* ... with these */
} xpl_literal;
TD_VEC(xpl_literal, xpl_literal_vec);

/* One event of a graph, as its run shows it again. */
typedef struct xpl_key {
    uint32_t thread, op;
    bool is_write; /* the write of an update */
    bool is_stuck;
    uint32_t from; /* for a read: number of the key that it reads, or GRF_INIT */
    uint64_t side; /* outcome of a decision */
} xpl_key;
TD_VEC(xpl_key, xpl_key_vec);

/* A graph to be run by the search graphs, and with it all that follows from it there. */
typedef struct xpl_graph {
    uint64_t id;   /* id of its job; 0: not handed out. Not stored. */
    bool is_given; /* it was read, and no run has shown that it is one. Likewise. */
    xpl_key_vec keys;
    trc_step_vec steps;
    trc_chosen_vec inputs;
    uint32_t reader; /* number of the key that reads a new write, or GRF_NONE */
    /* The events of stuck keys; at the end that of the reader, if there is one */
    grf_event_vec stuck;
    /* Sides that the last key, a decision, is not to take; else none */
    grf_u64_vec taken;
    uint32_t due, fresh; /* for grf_alternatives */
} xpl_graph;
TD_VEC(xpl_graph, xpl_graph_vec);
/* The graph without events, from which the search starts. */
#define XPL_EMPTY_GRAPH                                                                  \
    ((xpl_graph){.reader = GRF_NONE, .due = GRF_NONE, .fresh = GRF_NONE})

void xpl_graph_fini(xpl_graph *g);
void xpl_graph_copy(xpl_graph *out, const xpl_graph *from);
void xpl_graphs_fini(xpl_graph_vec *graphs);

typedef struct xpl_item {
    xpl_literal_vec literals;
    xpl_graph_vec graphs;
} xpl_item;

/* No item has more, so that a schedule of all its events stays a run of the program. */
enum { XPL_MAX_LITERALS = 256 };
/* Nor more of these; keys, steps and inputs of all graphs are counted together. */
enum { XPL_MAX_GRAPHS = 1 << 16, XPL_MAX_GRAPH_ENTRIES = 1 << 22 };

void xpl_literal_fini(xpl_literal *l);
void xpl_item_fini(xpl_item *i);
void xpl_item_copy(xpl_item *out, const xpl_item *from);
/* Adds a copy of the literal, as one that has its event or lacks it. */
void xpl_item_add(xpl_item *i, const xpl_literal *l, bool has);

/* Every second graph of the item becomes one of the other; both have some then. False: it has not two. */
bool xpl_item_is_large(const xpl_item *i); /* too much to be read again */
bool xpl_item_halve(xpl_item *i, xpl_item *other);

/* Write items as bytes and read them back; the bytes are not trusted. */
void xpl_item_write(const xpl_item *i, xpl_byte_vec *out);
/* The same for its graphs alone (graph_item.c). */
void xpl_graphs_write(const xpl_graph_vec *graphs, xpl_byte_vec *out);
TD_MUST_USE td_status xpl_graphs_read(xpl_reader *r, xpl_graph_vec *out);
TD_MUST_USE td_status xpl_item_read(const uint8_t *at, size_t len, xpl_item *out,
                                    td_diag *diag);

/* The same for one literal and nothing else, which the caller frees whatever the status. */
TD_MUST_USE td_status xpl_literal_read(const uint8_t *at, size_t len, xpl_literal *out,
                                       td_diag *diag);

/* The results of a completed item. */
typedef struct xpl_share {
    uint64_t events; /* events that belong to the item */
    td_id digest;
    uint64_t traces; /* traces of the item, if they are counted */
    td_id trace_digest;
    uint64_t whole_traces; /* traces of runs that were not cut short */
    uint64_t known;        /* events that fit with it, whomever they belong to */
} xpl_share;
