/* SPDX-License-Identifier: Apache-2.0 */
/* explore/interfere/interfere_int.h - what the files of the search interfere share. */
#pragma once

#include "explore/interfere/checker.h"
#include "explore/core/explore_int.h"

enum { XPL_MAX_DEGREE = 100 };

typedef struct side {
    uint32_t site, number;
    uint32_t k; /* XPL_NONE: not taken yet */
} side;

/* A candidate that a new write, or a new end of a thread, may help. */
typedef struct waiter {
    uint32_t scenario;
    uint32_t read; /* node; of a need: the node it follows; of a wait: tree that helps */
    uint8_t kind;  /* kind of a need, or of what waits */
    exp_ref must;  /* read: the condition that it has to satisfy; none: unknown */
} waiter;

TD_VEC(side, side_vec);
TD_VEC(waiter, waiter_vec);
TD_VEC(waiter_vec, waiter_vec_vec);
TD_VEC(xpl_target, target_vec);
TD_VEC(uint64_t, offset_vec);

typedef struct queue {
    xpl_u32_vec urgent, others; /* candidates */
    size_t urgent_at, others_at;
} queue;

typedef struct interfere {
    xpl head;
    xpl_opts opts;
    pth *path;
    xpl_forest forest;
    xpl_checker checker;
    target_vec targets;
    td_id_set known_targets, known_scenarios;
    xpl_u32_vec words;    /* words of all candidates */
    offset_vec scenarios; /* by candidate: where it starts in words */
    queue queues[XPL_MAX_DEGREE + 1];
    waiter_vec_vec by_place, by_object, by_tree;
    side_vec sides;
    xpl_map side_of;  /* site and number */
    xpl_map branches; /* sites that are branches */
    uint32_t n_taken;
    uint32_t degree; /* that is being searched */
    xpl_scenario scenario, child;
    /* the run under way */
    bool is_open;
    uint32_t flight;
    uint64_t n_fatal;
    uint64_t n_jobs, n_checks;
    uint64_t n_missed, n_lost, n_undecided, n_values, n_deep, n_high;
    bool is_tired;  /* more to do, but the caller has to look at its budget */
    side_vec fails; /* site of a failure, the side that led to it, interferences */
    /* scratch, of a run: by thread, operations that count; by operation; by variable */
    xpl_u32_vec need, is_counted, is_needed, interfering;
    exp_u32_vec wanted;
    xpl_map reader;
} interfere;

static inline bool xpl_ifr_is_off(const interfere *x, uint32_t what)
{
    return (x->opts.interfere_off & what) != 0;
}

/* ---- candidate_queue.c: candidates in and out ---- */
void xpl_ifr_load(const interfere *x, uint32_t number, xpl_scenario *out);
/* True if it was not known, or that does not matter. */
bool xpl_ifr_is_new(interfere *x, const xpl_scenario *s);
void xpl_ifr_enqueue(interfere *x, const xpl_scenario *s);
/* Takes the next candidate of the least degree; XPL_NONE: there is none. */
uint32_t xpl_ifr_dequeue(interfere *x);

/* ---- aims.c: targets ---- */
/* The number of a branch side. */
uint32_t xpl_ifr_side_number(interfere *x, uint32_t site, uint64_t number);
/* What could have come in place of a new node. */
void xpl_ifr_aim_beside(interfere *x, uint32_t node);
/* What threads of a run would do next. */
void xpl_ifr_aim_on(interfere *x, const trc *t);
/* Some node is what the target aims at. */
bool xpl_ifr_is_reached(const interfere *x, const xpl_target *t);
/* Nothing is to be gained by the candidate. */
bool xpl_ifr_is_idle(interfere *x, const xpl_scenario *s);

/* ---- candidates.c: candidates of candidates ---- */
/* The candidate was checked and is not possible: those with one interference, or one thread that
 * helps, more; now, and when a run shows what could be one. */
void xpl_ifr_extend(interfere *x, uint32_t number);
/* The same if a thread must get further. */
void xpl_ifr_meet_need(interfere *x, uint32_t number);
/* What a new node means for candidates that wait. */
void xpl_ifr_offer(interfere *x, uint32_t node);

/* ---- degree.c: branch sides of a run ---- */
void xpl_ifr_take_side(interfere *x, uint32_t number, uint32_t degree);
void xpl_ifr_take_sides(interfere *x, const trc *t);
void xpl_ifr_take_fails(interfere *x, const trc *t);
