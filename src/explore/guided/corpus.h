/* SPDX-License-Identifier: Apache-2.0 */
/* explore/guided/corpus.h - what led to something new, and what to want next.
 *
 * Purpose     Keeps the wishes, the schedule and the inputs of each run that covered a pair first, or took a side
 *             of a branch first; draws from these, and from all pairs, so that what is rare is drawn more often: its energy.
 * Words       wish: a pair of places that a job wants, or does not (wire.h, WIRE_STEP_WANTED).
 *             lead: an entry of the corpus.
 * Invariants  (L1) at most XPL_MAX_LEADS leads; a new one takes the place of the one with the least energy.
 *             (L2) draws depend on the generator, the leads and the pairs only.
 */
#pragma once

#include "base/rng.h"
#include "explore/core/pair_cover.h"
#include "explore/guided/side_cover.h"

enum {
    XPL_MAX_WISHES = 8,
    XPL_MAX_LEADS = 512,
    XPL_MAX_LEAD_OPS = 20000,
    XPL_NO_PAIR = UINT32_MAX
};

typedef struct xpl_wish {
    uint32_t pair; /* number in the cover */
    bool is_wanted;
} xpl_wish;

typedef struct xpl_wish_list {
    xpl_wish at[XPL_MAX_WISHES];
    uint32_t n;
} xpl_wish_list;

/* An input, and how many choices came before it. */
typedef struct xpl_lead_input {
    wire_input input;
    uint32_t after_choices;
    uint8_t bits;
} xpl_lead_input;
TD_VEC(xpl_lead_input, xpl_lead_input_vec);

typedef struct xpl_lead {
    xpl_wish_list wishes;
    trc_step_vec steps; /* the schedule; empty: it was too long */
    xpl_lead_input_vec inputs;
    uint32_t n_choices;
    uint32_t
        rarest; /* the first pair that no run had covered, by number; XPL_NO_PAIR: none */
    uint32_t side; /* the first side that no run had taken; XPL_NO_SIDE: none */
    uint64_t n_drawn;
} xpl_lead;
TD_VEC(xpl_lead, xpl_lead_vec);

/* All-zero is empty. */
typedef struct xpl_corpus {
    xpl_lead_vec leads;
    xpl_side_cover sides; /* of all runs */
} xpl_corpus;

void xpl_corpus_fini(xpl_corpus *c);
/* The run that was added to the cover and the sides last, and covers something first. */
void xpl_corpus_add(xpl_corpus *c, const xpl_pair_cover *cover, const trc *t,
                    const xpl_wish_list *wishes);
/* One of the leads, NULL: there are none. */
xpl_lead *xpl_corpus_draw(xpl_corpus *c, const xpl_pair_cover *cover, td_rng *rng);
/* Steps and inputs of the first choices of a lead, added to both. */
void xpl_lead_prefix(const xpl_lead *lead, uint32_t n_choices, trc_step_vec *steps,
                     trc_chosen_vec *inputs);
/* All inputs of a lead, some of them changed, added to out. */
void xpl_lead_mutated(const xpl_lead *lead, td_rng *rng, trc_chosen_vec *out);
/* Changes wishes: adds one for what is rare, or against what is frequent, takes one out, turns one round. */
void xpl_wishes_mutate(xpl_wish_list *w, xpl_pair_cover *cover, td_rng *rng);
/* Adds them to the steps of a job. */
void xpl_wishes_put(const xpl_wish_list *w, const xpl_pair_cover *cover,
                    trc_step_vec *steps);
