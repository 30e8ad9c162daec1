/* SPDX-License-Identifier: Apache-2.0 */
/* explore/unfold/target_ancestry.h - which targets the targets of an unfolding led to.
 *
 * Purpose     Follows the runs of a search over an unfolding, so that target_estimate.h can estimate
 *             the remaining work.
 * Words       depth: of an event, the longest chain of causes to it. awaited: a target that was
 *             found and is not executed. fresh: executed by the last run for the first time.
 * Invariants  (N1) every fresh event of a run but the first depends on an awaited one that the
 *                  run executed, since all that could come next was a target (U3);
 *             (N2) targets that follow from a target are deeper.
 * Cost        2 bytes an event; the operations of each run once.
 */
#pragma once

#include "explore/core/target_estimate.h"
#include "unfold/unfold.h"

TD_VEC(uint16_t, xpl_u16_vec);

typedef struct xpl_fresh {
    uint32_t event;
    uint32_t class; /* class of the awaited event that it depends on, or is */
    uint32_t nth;   /* in the order of the run */
} xpl_fresh;

TD_VEC(xpl_fresh, xpl_fresh_vec);

typedef struct xpl_ancestry {
    xpl_estimate estimate;
    /* By event, AWAITED of target_ancestry.c among them; 0: not known. */
    xpl_u16_vec depths;
    uint32_t scale;        /* depths that make one level; 0: no run yet */
    xpl_fresh_vec fresh;   /* made by the last run, by event */
    xpl_fresh_vec awaited; /* likewise, that had been awaited */
    uint32_t planned;      /* class of the target that the run was made for */
} xpl_ancestry;

void xpl_ancestry_fini(xpl_ancestry *l);

/* The run was inserted into the unfolding, and unf_found() is not cleared yet. planned: a target
 * that it was made for, UNF_NONE; what depends on nothing that was awaited stems from it, as where
 * a probe turned out to be another event. */
void xpl_ancestry_insert(xpl_ancestry *l, unf *u, const trc *t, uint32_t planned);

/* The class of a target that was found. */
uint32_t xpl_ancestry_class(const xpl_ancestry *l, const unf *u, uint32_t target);
