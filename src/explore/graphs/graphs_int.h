/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of explore/graphs share. */
#pragma once

#include "base/map.h"
#include "explore/core/explore.h"
#include "graph/graph.h"
#include "path/path.h"
#include "trace/trace.h"

/* ---- inputs for decisions (sides.c) ---- */

/* What is asked in a graph is a question (path/path.h) + 1. */
typedef struct xpl_sides {
    pth *path;
    xpl_solver solver;
    const trc *run;       /* that was taken last */
    exp_value_vec values; /* values of that run, or found since */
    exp_ref_vec conditions;
    uint64_t n_unknown; /* questions that the solver could not answer */
} xpl_sides;

void xpl_sides_init(xpl_sides *s, const xpl_opts *opts);
void xpl_sides_fini(xpl_sides *s);
void xpl_sides_take(xpl_sides *s, const trc *t);
/* Returns the question of a decision, or of a compare-exchange that depends on inputs. */
uint32_t xpl_sides_asked(xpl_sides *s, const trc_op *op);
/* Finds inputs with which all decisions of the graph have their outcomes. False: there are none, or it is
 * unknown. */
bool xpl_sides_find(xpl_sides *s, const grf *g, trc_chosen_vec *out);
/* The same, but the last event, a decision, takes none of these outcomes. */
bool xpl_sides_find_other(xpl_sides *s, const grf *g, const uint64_t *taken,
                          size_t n_taken, trc_chosen_vec *out);
/* True if no inputs make the decision take a smaller side while the others go as they do. */
bool xpl_sides_is_first(xpl_sides *s, const grf_event *e, const grf_event *const *others,
                        size_t n);

/* ---- the search ---- */

typedef struct graphs {
    xpl head;
    xpl_opts opts;
    grf_model model;
    xpl_graph_vec todo;
    xpl_graph_vec under_way;
    xpl_sides sides;
    uint64_t n_jobs, n_lost;
    uint64_t n_values; /* decisions with more sides than were tried */
    /* Outcomes of compare-exchanges that depend on inputs and that the model may not allow. */
    uint64_t n_outcomes;
    uint64_t n_strong; /* runs with accesses that have one order in every model */
    const trc *run;    /* that is fed */
    bool is_divided;   /* todo is not all that follows from the first graph */
    bool has_diverged; /* a graph of the current item was invalid */
    xpl_share done;    /* results of the current item, since it was taken or divided */
} graphs;

/* ---- graph_parts.c ---- */
extern const xpl_parts graphs_parts;
/* Counts a run of the item at hand. */
void graphs_count(graphs *x, const trc *t);
/* A graph that another process wrote down, with the events of its run: whether it is one that the model
 * allows. */
bool graphs_is_sound(const graphs *x, const xpl_graph *j, const grf *g);

/* ---- graphs of runs (graph_of_run.c) ---- */

/* The run as a graph, events in the order in which they were executed. stuck: reads of the job that
 * its run did not make, as their threads have to wait there; they come first of what is behind the
 * events, and what other threads wait for at the end of the run. False: the run contradicts
 * itself. sides, which took the run, knows the questions of its decisions; NULL: they are not asked
 * for. */
bool xpl_graph_of(const trc *t, const grf_event_vec *stuck, xpl_sides *sides, grf *out);
