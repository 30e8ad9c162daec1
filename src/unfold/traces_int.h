/* SPDX-License-Identifier: Apache-2.0 */
/* unfold/traces_int.h - the search for all traces: what traces.c and alternative.c share. */
#pragma once

#include "unfold/preemption_lower_bound.h"

/* Ranges of unf_traces.numbers. */
typedef struct trace_range {
    uint32_t first, n;
} trace_range;

typedef struct trace_node {
    trace_range refused, wanted;
} trace_node;

/* The configuration as it was. */
typedef struct unf_mark {
    uint32_t len, n_changes, n_links;
} unf_mark;

/* An event that was added at a node, and what was there before. */
typedef struct trace_step {
    trace_node node;
    uint32_t event;
    uint32_t n_numbers; /* numbers that the node uses */
    uint32_t n_parted;  /* of the previous trace */
    unf_mark mark;
} trace_step;
TD_VEC(trace_step, trace_step_vec);

/* Objects that are touched below a history, by threads that start there too: a bit for each of
 * 64 classes of them. */
typedef struct trace_future {
    uint64_t touched, changed;
} trace_future;
TD_VEC(trace_future, trace_future_vec);

/* All-zero: there are none. */
typedef struct trace_futures {
    unf_vec of;           /* by event: index in all */
    trace_future_vec all; /* each once */
    /* Hash table while they are collected: index in all + 1; 0: free. */
    uint32_t *slots;
    uint32_t bits;
} trace_futures;

/* The START of a CREATE. */
typedef struct trace_start {
    uint32_t create, start;
} trace_start;
TD_VEC(trace_start, trace_start_vec);

/* The reads of an object before an event. */
typedef struct trace_change {
    uint32_t object, reads;
} trace_change;
TD_VEC(trace_change, trace_change_vec);

struct unf_traces {
    unf *u;
    unf_cfg *cfg;
    trace_step_vec path;
    trace_node node; /* where the search is */
    bool is_back;    /* what is below the node was searched */
    bool has_ended;
    unf_vec numbers;
    uint32_t n_nodes;       /* events that it knows */
    trace_start_vec starts; /* rising by CREATE */
    unf_vec reads;          /* by object: those of its state in cfg, in links; 0: none */
    unf_link_vec links;     /* [0] is not used */
    trace_change_vec changes;
    trace_futures futures;
    unf_vec chosen, next;
    /* Events of no trace that is searched; refused where they can come next. */
    unf_vec lacks;
    uint64_t asked;            /* events looked at for an alternative */
    unf_path *preemption_path; /* NULL: there is no bound on preemptions */
    uint32_t bound;
    unf_lower_bound
        /* Lower bound for the events of cfg, without those that alternatives add. */
        lower_bound;
    uint32_t n_parted; /* events among them before which their thread was preempted */
    uint64_t n_cut;    /* parts of the search that the bound left out */
};

/* ---- traces.c ---- */
unf_mark unf_traces_mark(const unf_traces *t);
void unf_traces_back(unf_traces *t, unf_mark m);
/* A thread that is created starts at once. */
void unf_traces_add(unf_traces *t, uint32_t event);
/* The events that the thread can do now, in next. */
void unf_traces_list(unf_traces *t, uint32_t thread);

/* Events of other parts than the one that is searched. */
static inline bool unf_traces_lack(const unf_traces *t, uint32_t event)
{
    return unf_is_among(t->lacks.at, t->lacks.len, event);
}

/* The run ends after this event; everything reachable with it was explored when it was a target. */
static inline bool unf_ends_run(const unf_node *n)
{
    return (n->flags & NODE_LAST) && !mdl_exits(n->kind);
}

static inline bool unf_is_asked_about(const unf *u, const unf_node *n)
{
    return mdl_decides(n->kind) || unf_why(u, n) != UNF_NONE;
}

/* The class of an object in a trace_future. */
static inline uint64_t unf_class_of(uint32_t object)
{
    return UINT64_C(1) << (object * UINT32_C(0x9e3779b1) >> 26);
}

/* ---- trace_futures.c ---- */
void unf_futures_find(trace_futures *f, const unf *u);
void unf_futures_fini(trace_futures *f);
static inline trace_future unf_future_of(const trace_futures *f, uint32_t history)
{
    TD_DASSERT(history < f->of.len && f->of.at[history] < f->all.len);
    return f->all.at[f->of.at[history]];
}

/* ---- alternative.c ---- */
/* Events that fit with the configuration, one in conflict with each of the n that are refused,
 * the last one first. They stay in the configuration if there are any. */
typedef enum unf_alternative { UNF_NOT_THERE, UNF_THERE, UNF_NOT_KNOWN } unf_alternative;
unf_alternative unf_find_alternative(unf_traces *t, const uint32_t *refused, uint32_t n);
