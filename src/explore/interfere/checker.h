/* SPDX-License-Identifier: Apache-2.0 */
/* explore/interfere/checker.h - whether a candidate can happen.
 *
 * Purpose     Checks a candidate (scenario.h) by its data constraints (all decisions on the way go as
 *             they must, if every read has the value of its source) and its temporal constraints
 *             (there is such an order).
 * Words       By default a read sees what its own thread wrote last or found when it was created.
 *             core: reads by default that are to blame.
 * Invariants  (S1) a candidate that is called possible has inputs and a schedule for it;
 *             (S2) whatever adds edges and ends to a candidate that is not possible, without
 *             an edge to a read of the core, an end of a thread it waits for, is not possible.
 * Cost        Linear in the lengths of the threads' paths where no input is involved; else the
 *             solver is asked.
 * Reading     Farzan et al., Con2colic testing, 2013, sections 6 and 7.
 */
#pragma once

#include "explore/core/explore.h"
#include "explore/interfere/scenario.h"
#include "explore/interfere/temporal.h"

/* An event that waits at an object for what another thread does to it. */
typedef struct xpl_helper {
    uint32_t object;
    uint32_t tree; /* its tree; XPL_NONE: that of any thread */
    uint8_t kind;  /* kind of the waiting event */
} xpl_helper;

TD_VEC(xpl_helper, xpl_helper_vec);

typedef enum xpl_verdict {
    XPL_POSSIBLE,
    XPL_IMPOSSIBLE, /* core and helpers say what could help */
    XPL_CONFLICT,   /* nothing can */
    XPL_NEEDS,      /* thread need_tree must get to one of need_kind behind need_after */
    XPL_UNDECIDED,
} xpl_verdict;

typedef struct xpl_checker {
    xpl_forest *f;
    xpl_solver solver;
    exp_value_vec values; /* inputs to stay close to; then those found */
    bool couples_all;     /* every read has its source, though its value may not matter */
    uint64_t n_unbound;   /* values of other threads that came by unknown ways */
    uint64_t n_asked;     /* solver */

    /* of the last check */
    xpl_u32_vec core; /* read nodes */
    xpl_helper_vec helpers;
    exp_ref
        /* The condition whose dependencies are the core; none: there is another reason. */
        broken;
    uint32_t need_tree, need_after;
    uint8_t need_kind;
    trc_step_vec steps;
    trc_chosen_vec inputs;
    xpl_problem problem;
    xpl_temporal temporal;

    /* scratch; what is by number holds where its stamp is that of the check */
    uint32_t stamp;
    bool is_over; /* a thread does what ends every run */
    const xpl_scenario *scenario;
    const xpl_target *target;
    xpl_u32_vec trees;                 /* by thread of the problem */
    xpl_u32_vec nodes;                 /* by event */
    xpl_u32_vec end_of;                /* by tree: last node */
    xpl_u32_vec thread_of;             /* by tree */
    xpl_u32_vec tree_stamp;            /* by tree */
    xpl_u32_vec event_of, event_stamp; /* by node */
    xpl_u32_vec place_ix, place_stamp; /* by place */
    xpl_u32_vec object_ix, object_stamp;
    xpl_u32_vec read_event;           /* by variable: event */
    xpl_u32_vec var_stamp, var_state; /* by variable */
    exp_ref_vec var_expr;    /* by variable: what it is, if it depends on inputs */
    exp_value_vec var_value; /* by variable */
    exp_ref_vec conditions;  /* by node; none: not made yet */
    exp_ref_vec asked;       /* conditions that depend on inputs */
    exp_ref_vec asked_of;    /* ... before reads were replaced */
    exp_ref_vec survivals, musts;
    exp_value_vec eval; /* by expression: its value */
    xpl_u32_vec eval_stamp;
    xpl_u32_vec blamed, kept; /* by variable: when it was looked at; a core */
    uint32_t blame_stamp;
    exp_ref_vec subst, stack;
    exp_u32_vec subst_stamp, members;
    xpl_u32_vec todo;
} xpl_checker;

void xpl_checker_init(xpl_checker *c, xpl_forest *f, const xpl_opts *opts);
void xpl_checker_fini(xpl_checker *c);
xpl_verdict xpl_check(xpl_checker *c, const xpl_scenario *s, const xpl_target *t);
/* False: the condition depends on that read alone, and never holds if it sees the write. */
bool xpl_would_hold(const xpl_forest *f, exp_ref condition, uint32_t read,
                    uint32_t write);
