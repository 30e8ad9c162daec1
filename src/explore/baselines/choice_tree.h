/* SPDX-License-Identifier: Apache-2.0 */
/* explore/baselines/choice_tree.h - a tree of choices that grows where runs show races; dpor and flip.
 *
 * Purpose     Hands out one job for each choice that a rule requests, with the threads that sleep in
 *             it, and passes each finished run to the rule.
 * Words       node: a state in which the scheduler chooses, or an input is made. child: a choice that
 *             was or will be made in it. asleep: said of a thread whose next move was, or will be,
 *             made first in another child of an earlier node; until a dependent move, making it leads
 *             to nothing new.
 * Invariants  (E1) a child is handed out when the earlier ones of its node have run: their moves sleep;
 *             (E2) no child of a node is asleep in it;
 *             (E3) every value of an input of at most 8 bits is a child; wider ones keep
 *                  their fixed value: a gap.
 * Ownership   A node lives as long as a child is to be run or a node under it lives.
 * Reading     sleep sets: Godefroid, LNCS 1032, 1996.
 */
#pragma once

#include "explore/core/explore.h"
#include "trace/order.h"

/* A thread asleep in a node. */
typedef struct xpl_sleeper {
    uint32_t thread;
    mdl_wanted wanted;
} xpl_sleeper;

typedef struct xpl_child {
    uint32_t thread;
    uint64_t value;    /* value of an input */
    mdl_wanted wanted; /* what it did, once it has run */
    bool has_run;
    bool may_sleep; /* wanted is all that others can notice of it, whatever the inputs */
    bool raced;     /* for rules */
} xpl_child;

TD_VEC(xpl_sleeper, xpl_sleeper_vec);
TD_VEC(xpl_child, xpl_child_vec);

typedef struct xpl_choice {
    uint32_t parent; /* node; in a free one: the next free one */
    uint32_t in;     /* child of the parent that leads here */
    uint32_t n_refs; /* nodes under it, and children that have not run; 0: free */
    bool is_input;   /* children are values of the input key */
    uint64_t key;
    trc_u32_vec enabled; /* threads that can be chosen */
    xpl_sleeper_vec asleep;
    xpl_child_vec children;
} xpl_choice;

TD_VEC(xpl_choice, xpl_choice_vec);

#define XPL_NO_CHOICE UINT32_MAX

typedef struct xpl_choice_tree xpl_choice_tree;

/* Examines a run whose moves from that number on are new, and requests children. x->order is its order. Node
 * i of x->path is where move i was chosen. */
typedef void xpl_rule(xpl_choice_tree *x, const trc *t, uint32_t from);

/* A job: the child of a node. */
typedef struct xpl_work {
    uint32_t node, child;
} xpl_work;

typedef struct xpl_flight {
    xpl_work work;
    bool is_open; /* not fed yet */
} xpl_flight;

TD_VEC(xpl_work, xpl_work_vec);
TD_VEC(xpl_flight, xpl_flight_vec);

struct xpl_choice_tree {
    xpl head;
    xpl_opts opts;
    xpl_rule *rule;
    trc_order *order;
    xpl_choice_vec nodes;
    uint32_t free_node;
    xpl_work_vec todo;      /* the last one is next */
    xpl_flight_vec flights; /* jobs in flight, from first_flight on */
    uint64_t first_flight;
    uint64_t n_jobs, n_open;
    uint64_t n_wide;      /* inputs with too many values */
    uint64_t n_loops;     /* runs with reads that were undone */
    uint64_t n_lost;      /* runs that are not what was asked for */
    trc_u32_vec path;     /* nodes of the run being fed, without those of inputs */
    trc_u32_vec fresh;    /* nodes that it made */
    trc_race_vec races;   /* for rules */
    trc_u32_vec starters; /* likewise */
    trc_step_vec steps;
    trc_chosen_vec inputs;
    xpl_sleeper_vec sleepers; /* scratch */
};

xpl *xpl_choice_tree_new(const xpl_search *search, const xpl_opts *opts, xpl_rule *rule);
bool xpl_choice_tree_next(xpl *x, xpl_job *out);
void xpl_choice_tree_feed(xpl *x, const trc *result);
void xpl_choice_tree_lost(xpl *x, uint64_t job);
bool xpl_choice_tree_complete(const xpl *x);
size_t xpl_choice_tree_gaps(const xpl *x, xpl_gap *out, size_t max);
void xpl_choice_tree_left(const xpl *x, xpl_left *out);
void xpl_choice_tree_free(xpl *x);
/* False: names the broken invariant; why may be NULL. */
bool xpl_choice_tree_valid(const xpl_choice_tree *x, char *why, size_t size);

/* ---- for rules ---- */
xpl_choice *xpl_choice_tree_node(const xpl_choice_tree *x, uint32_t node);
bool xpl_choice_enables(const xpl_choice *n, uint32_t thread);
/* Sleeps in it, or is a child of it. */
bool xpl_choice_has(const xpl_choice *n, uint32_t thread);
/* The thread is to be chosen in the node as well, unless the node has it. */
void xpl_choice_tree_ask(xpl_choice_tree *x, uint32_t node, uint32_t thread);
