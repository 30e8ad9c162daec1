/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of explore/graphs share. */
#pragma once

#include "base/map.h"
#include "explore/core/explore.h"
#include "graph/graph.h"
#include "trace/trace.h"

typedef struct graphs {
    xpl head;
    xpl_opts opts;
    grf_model model;
    xpl_graph_vec todo;
    xpl_graph_vec under_way;
    uint64_t n_jobs, n_lost, n_inputs;
    uint64_t n_strong; /* runs with accesses that have one order in every model */
    const trc *run;    /* that is fed */
    bool is_divided;   /* todo is not all that follows from the first graph */
    bool has_diverged; /* a graph of the item at hand was none */
    xpl_share done;    /* of the item at hand, since it was taken or divided */
} graphs;

/* The run as a graph, events in the order in which they were executed. stuck: reads of the job that
 * its run did not make, as their threads have to wait there; they come first of what is behind the
 * events, and what other threads wait for at the end of the run. False: the run contradicts
 * itself. */
bool xpl_graph_of(const trc *t, const grf_event_vec *stuck, grf *out);

/* ---- graph_parts.c ---- */
extern const xpl_parts graphs_parts;
/* Counts a run of the item at hand. */
void graphs_count(graphs *x, const trc *t);
/* A graph that another process wrote down, with the events of its run: whether it is one that the model
 * allows. */
bool graphs_is_sound(const graphs *x, const xpl_graph *j, const grf *g);
