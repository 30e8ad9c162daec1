/* SPDX-License-Identifier: Apache-2.0 */
/* explore/unfold/plan.h - what the next job covers: targets that fit together.
 *
 * Purpose     Keeps the targets of an unfolding that are to be run, and puts a job together from
 *             them: one, and as many others as fit with it and each other, with inputs for all.
 * Words       target, configuration: docs/glossary.md. open: a target that is still to be run.
 * Invariants  (P1) cfg holds the targets taken and their causes, and is a run that atomic sections
 *                  allow;
 *             (P2) a target that a run with others did not reach is tried alone before it is
 *                  given up;
 *             (P3) of a part (item.h) all plans have what it has and nothing that it lacks, but
 *                  for those of targets that cannot be run so and still may belong to it.
 */
#pragma once

#include "explore/unfold/inputs.h"

/* All-zero but for xpl_plan_init. */
typedef struct xpl_plan {
    unf *u;              /* inputs->u */
    xpl_inputs *inputs;  /* borrowed */
    uint32_t depth;      /* most events of a plan; 0: no limit */
    unf_cfg *cfg;        /* what the next job covers */
    unf_vec taken;       /* the targets of it */
    unf_vec todo;        /* targets, oldest first */
    unf_vec alone;       /* targets that a run with others did not reach */
    unf_vec later;       /* targets that no known end of an atomic section fits with */
    unf_part part;       /* what is searched; empty: all */
    bool is_based;       /* cfg begins with what the part has ... */
    size_t n_base;       /* ... in so many events */
    unf_vec aside;       /* targets that no run of the part reaches */
    uint64_t n_sections; /* known when later was looked at */
    uint64_t n_deep;     /* targets left out for the depth */
    uint64_t n_missed;   /* targets that their run did not reach */
} xpl_plan;

/* What a job under way is to reach. All-zero is nothing. */
typedef struct xpl_load {
    unf_vec targets;
    unf_vec probes;   /* by target: 1 if it was one */
    bool is_based;    /* the run has what the part has */
    uint64_t n_fatal; /* decisions that end the run, when it was planned */
} xpl_load;

void xpl_plan_init(xpl_plan *p, xpl_inputs *inputs, const xpl_opts *opts);
void xpl_plan_fini(xpl_plan *p);
/* inputs has another unfolding: restarts. */
void xpl_plan_restart(xpl_plan *p);
/* From now on this part is searched; its events are executed. What was put aside is looked at
 * again. */
void xpl_plan_set_part(xpl_plan *p, const unf_part *part);

/* ---- targets ---- */

/* Takes in what was found since the last call. */
void xpl_plan_take_found(xpl_plan *p);
/* Targets that may be possible since more ends of sections are known. To be called before no target is said to be left. */
bool xpl_plan_take_later(xpl_plan *p);
bool xpl_plan_is_open(const xpl_plan *p, uint32_t target);
/* Removes n from a list of targets. */
void xpl_plan_remove(unf_vec *list, size_t at, size_t n);

/* ---- the next job ---- */

/* Nothing but what the part has; nothing at all. */
void xpl_plan_clear(xpl_plan *p);
void xpl_plan_empty(xpl_plan *p);
bool xpl_plan_is_too_deep(const xpl_plan *p);
/* Makes the plan that of one target, with what the part has if that is possible. False: it cannot
 * be run now, or ever, or in no run of the part. */
bool xpl_plan_alone(xpl_plan *p, uint32_t target);
/* The same without the part. */
bool xpl_plan_single(xpl_plan *p, uint32_t target);

/* GONE: it will not be asked again, or was put aside. LATER: it stays in the list. */
typedef enum xpl_tried { XPL_TRIED_GONE, XPL_TRIED_LATER, XPL_TRIED_NOW } xpl_tried;
typedef xpl_tried (*xpl_try)(void *self, uint32_t target);
/* Starts the plan with a target of the list, which is removed from it: the newest that is tried
 * with success. */
bool xpl_plan_first(xpl_plan *p, unf_vec *list, xpl_try try, void *self);
/* Adds what fits with the plan; it is left in todo, where it is skipped later. skips may be NULL:
 * which targets are not to be taken. */
void xpl_plan_more(xpl_plan *p, bool (*skips)(void *self, uint32_t target), void *self);

/* ---- jobs under way ---- */

void xpl_load_fini(xpl_load *l);
/* l becomes the targets of the plan. */
void xpl_plan_load(const xpl_plan *p, xpl_load *l);
/* A probe that turned out to be another event may be a target again, for other inputs; what
 * became of it in this run is not known then. */
bool xpl_load_is_settled(const xpl_plan *p, const xpl_load *l, size_t i);
/* The run is over. Targets that are still open: tried again alone, once, and whenever the run may
 * have ended early by a decision that was not known to end it. */
void xpl_plan_close(xpl_plan *p, const xpl_load *l);
