/* SPDX-License-Identifier: Apache-2.0 */
/* explore/guided/corpus.h - runs that covered something new, and the target pairs of the next jobs.
 *
 * Purpose     Keeps the target pairs, the schedule and the inputs of each run that was the first to
 *             cover a pair or to take a branch outcome. Draws entries and pairs at random; rare ones
 *             have more energy and are drawn more often.
 * Words       target pair: a pair of places that a job is to cover, or to avoid (wire.h, WIRE_STEP_WANTED).
 *             entry: an entry of the corpus.
 * Invariants  (L1) at most XPL_MAX_ENTRIES entries; a new one replaces the one with the least energy.
 *             (L2) draws depend on the generator, the entries and the pairs only.
 */
#pragma once

#include "base/rng.h"
#include "explore/core/pair_cover.h"
#include "explore/guided/side_cover.h"

enum {
    XPL_MAX_TARGETS = 8,
    XPL_MAX_ENTRIES = 512,
    XPL_MAX_ENTRY_OPS = 20000,
    XPL_NO_PAIR = UINT32_MAX
};

typedef struct xpl_target_pair {
    uint32_t pair; /* number in the cover */
    bool is_wanted;
} xpl_target_pair;

typedef struct xpl_target_list {
    xpl_target_pair at[XPL_MAX_TARGETS];
    uint32_t n;
} xpl_target_list;

/* An input, and how many choices came before it. */
typedef struct xpl_entry_input {
    wire_input input;
    uint32_t after_choices;
    uint8_t bits;
} xpl_entry_input;
TD_VEC(xpl_entry_input, xpl_entry_input_vec);

typedef struct xpl_entry {
    xpl_target_list targets;
    trc_step_vec steps; /* the schedule; empty: it was too long */
    xpl_entry_input_vec inputs;
    uint32_t n_choices;
    /* Number of the first pair that the run was first to cover; XPL_NO_PAIR: none. */
    uint32_t rarest;
    /* The first branch outcome that it was first to take; XPL_NO_SIDE: none. */
    uint32_t side;
    uint64_t n_drawn;
} xpl_entry;
TD_VEC(xpl_entry, xpl_entry_vec);

/* All-zero is empty. */
typedef struct xpl_corpus {
    xpl_entry_vec entries;
    xpl_side_cover sides; /* outcomes of all runs */
} xpl_corpus;

void xpl_corpus_fini(xpl_corpus *c);
/* Adds the run that was added to cover and c->sides last, if it was the first to cover something. */
void xpl_corpus_add(xpl_corpus *c, const xpl_pair_cover *cover, const trc *t,
                    const xpl_target_list *targets);
/* Draws an entry by its energy; NULL if the corpus is empty. */
xpl_entry *xpl_corpus_draw(xpl_corpus *c, const xpl_pair_cover *cover, td_rng *rng);
/* Adds the steps and inputs of the first n_choices choices of the entry. */
void xpl_entry_prefix(const xpl_entry *entry, uint32_t n_choices, trc_step_vec *steps,
                      trc_chosen_vec *inputs);
/* Adds all inputs of the entry to out, some of them mutated. */
void xpl_entry_mutated(const xpl_entry *entry, td_rng *rng, trc_chosen_vec *out);
/* Mutates target pairs: adds a rare pair to cover or a frequent one to avoid, removes one, or negates one. */
void xpl_target_pairs_mutate(xpl_target_list *w, xpl_pair_cover *cover, td_rng *rng);
/* Adds them to the steps of a job. */
void xpl_target_pairs_put(const xpl_target_list *w, const xpl_pair_cover *cover,
                          trc_step_vec *steps);
