/* SPDX-License-Identifier: Apache-2.0 */
/* explore/unfold/bound.h - targets by the number of preemptions that lead to them.
 *
 * Purpose     Sorts the targets of an unfolding: those that a run reaches with at most as many
 *             preemptions as the bound of now are run, others wait until it grows.
 * Words       preemption: docs/glossary.md. completed: everything that can be reached with so
 *             many was executed.
 * Invariants  (B1) a target is put aside only if no run over executed events reaches it within
 *                  the bound; if that may change as more is executed it is asked again before
 *                  the bound is completed;
 *             (B2) a target with too many ways to look at counts as within the bound, so that
 *                  more may be run than need be, never less.
 */
#pragma once

#include "explore/core/explore.h"
#include "unfold/unfold.h"

typedef struct xpl_bound {
    unf *u;
    unf_path *path;       /* NULL: no bound */
    uint32_t now, last;   /* the bound, and the last one it grows to */
    int64_t completed;    /* -1: none */
    unf_vec beyond;       /* targets put aside for good */
    unf_vec again;        /* targets put aside as far as is known */
    uint64_t again_known; /* events executed when again was looked at */
    uint64_t n_spins;     /* likewise */
    unf_vec unsure;       /* targets with too many ways; run when no others are left */
    uint64_t n_traces; /* that is how often traces were put aside, of the bound of now */
    bool has_path;     /* the last target or trace asked for has one */
} xpl_bound;

void xpl_bound_init(xpl_bound *b, unf *u, const xpl_opts *opts);
void xpl_bound_fini(xpl_bound *b);

/* False: it is put aside. */
bool xpl_bound_admits(xpl_bound *b, uint32_t target);

/* To be called when nothing is left to run and nothing is under way: what was put aside is
 * moved to todo if it is due. is_idle: nothing else is to be searched before the bound grows.
 * False: nothing is due. */
bool xpl_bound_refill(xpl_bound *b, bool is_idle, unf_vec *todo);

/* Targets, and parts of the search for traces, that the last bound leaves out. */
uint64_t xpl_bound_n_beyond(const xpl_bound *b);
/* True if nothing within the last bound is left. */
bool xpl_bound_is_done(const xpl_bound *b);
