/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/guided/corpus.h"

#include "base/assert.h"

enum { DRAWS = 4 }; /* draws, of which the best is taken */

static void entry_fini(xpl_entry *l)
{
    trc_step_vec_fini(&l->steps);
    xpl_entry_input_vec_fini(&l->inputs);
}

void xpl_corpus_fini(xpl_corpus *c)
{
    for (size_t i = 0; i < c->entries.len; i++)
        entry_fini(&c->entries.at[i]);
    xpl_entry_vec_fini(&c->entries);
    xpl_side_cover_fini(&c->sides);
}

/* ---- energy ---- */

/* The less the better: what was tried often, and what many runs cover, has little energy. */
static uint64_t weight_of_pair(const xpl_place_pair *p)
{
    return p->n_runs + p->n_tried;
}

static uint64_t weight_of_entry(const xpl_corpus *c, const xpl_entry *l,
                                const xpl_pair_cover *cover)
{
    TD_ASSERT(l->rarest != XPL_NO_PAIR || l->side != XPL_NO_SIDE);
    uint64_t n = UINT64_MAX / 4;
    if (l->rarest != XPL_NO_PAIR)
        n = cover->pairs.at[l->rarest].n_runs;
    if (l->side != XPL_NO_SIDE && c->sides.sides.at[l->side].n_runs < n)
        n = c->sides.sides.at[l->side].n_runs;
    return n + 2 * l->n_drawn;
}

/* ---- entries ---- */

static void keep_schedule(xpl_entry *l, const trc *t)
{
    if (t->ops.len > XPL_MAX_ENTRY_OPS)
        return;
    trc_schedule(t, &l->steps);
    size_t at = 0;
    for (size_t i = 0; i < t->inputs.len; i++) {
        const trc_input *input = &t->inputs.at[i];
        for (; at < input->before_op && at < t->ops.len; at++)
            l->n_choices += trc_is_choice(&t->ops.at[at]);
        xpl_entry_input_vec_push(&l->inputs, (xpl_entry_input){{input->key, input->value},
                                                               l->n_choices,
                                                               input->bits});
    }
    l->n_choices = t->n_choices;
}

static size_t heaviest(const xpl_corpus *c, const xpl_pair_cover *cover)
{
    size_t worst = 0;
    for (size_t i = 1; i < c->entries.len; i++)
        if (weight_of_entry(c, &c->entries.at[i], cover) >
            weight_of_entry(c, &c->entries.at[worst], cover))
            worst = i;
    return worst;
}

void xpl_corpus_add(xpl_corpus *c, const xpl_pair_cover *cover, const trc *t,
                    const xpl_target_list *targets)
{
    TD_ASSERT(cover->news.len > 0 || c->sides.n_new > 0);
    xpl_entry entry = {.targets = *targets,
                       .rarest = cover->news.len > 0 ? cover->news.at[0] : XPL_NO_PAIR,
                       .side = c->sides.n_new > 0 ? c->sides.first_new : XPL_NO_SIDE};
    keep_schedule(&entry, t);
    if (c->entries.len < XPL_MAX_ENTRIES) {
        xpl_entry_vec_push(&c->entries, entry);
        return;
    }
    xpl_entry *out = &c->entries.at[heaviest(c, cover)];
    entry_fini(out);
    *out = entry;
    TD_ASSERT(c->entries.len == XPL_MAX_ENTRIES); /* (L1) */
}

xpl_entry *xpl_corpus_draw(xpl_corpus *c, const xpl_pair_cover *cover, td_rng *rng)
{
    xpl_entry *best = NULL;
    for (uint32_t i = 0; i < DRAWS && c->entries.len > 0; i++) {
        xpl_entry *l = &c->entries.at[td_rng_below(rng, c->entries.len)];
        if (!best || weight_of_entry(c, l, cover) < weight_of_entry(c, best, cover))
            best = l;
    }
    if (best)
        best->n_drawn++;
    return best;
}

void xpl_entry_prefix(const xpl_entry *entry, uint32_t n_choices, trc_step_vec *steps,
                      trc_chosen_vec *inputs)
{
    TD_ASSERT(n_choices <= entry->n_choices);
    uint32_t left = n_choices;
    for (size_t i = 0; i < entry->steps.len && left > 0; i++) {
        wire_step step = entry->steps.at[i];
        step.count = step.count < left ? step.count : left;
        left -= step.count;
        trc_step_vec_push(steps, step);
    }
    for (size_t i = 0; i < entry->inputs.len; i++)
        if (entry->inputs.at[i].after_choices <= n_choices)
            trc_chosen_vec_push(inputs, entry->inputs.at[i].input);
}

/* ---- inputs ---- */

static uint64_t of_bits(uint64_t value, uint8_t bits)
{
    return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

/* A value that programs often compare with, or where something overflows. */
static uint64_t notable(uint8_t bits, td_rng *rng)
{
    static const uint64_t small[] = {0,   1,   2,   10,  16,   32,   64,    100,
                                     127, 128, 255, 256, 1000, 1024, 32767, 65535};
    enum { N = sizeof small / sizeof small[0] };
    uint64_t which = td_rng_below(rng, N + 3);
    uint64_t top = UINT64_C(1) << (bits - 1);
    return which < N        ? small[which]
           : which == N     ? UINT64_MAX
           : which == N + 1 ? top
                            : top - 1;
}

/* As fuzzers change bytes. */
static uint64_t mutate_value(uint64_t value, uint8_t bits, td_rng *rng)
{
    enum { FLIP, MORE, LESS, BYTE, NOTABLE, ANY, N_WAYS };
    TD_ASSERT(bits > 0 && bits <= 64);
    uint64_t at = td_rng_below(rng, bits), any = td_rng_next(rng);
    switch (td_rng_below(rng, N_WAYS)) {
    case FLIP:
        return value ^ UINT64_C(1) << at;
    case MORE:
        return value + 1 + any % 16;
    case LESS:
        return value - 1 - any % 16;
    case BYTE:
        at -= at % 8;
        return (value & ~(UINT64_C(255) << at)) | (any & 255) << at;
    case NOTABLE:
        return notable(bits, rng);
    default:
        return any;
    }
}

/* One input takes the value of another; or, as if a byte were inserted, the next ones that of the one before. */
static void copy_value(const xpl_entry *entry, wire_input *out, td_rng *rng)
{
    size_t n = entry->inputs.len;
    size_t to = (size_t)td_rng_below(rng, n), from = (size_t)td_rng_below(rng, n);
    if (td_rng_below(rng, 2) == 0) {
        out[to].value = of_bits(out[from].value, entry->inputs.at[to].bits);
        return;
    }
    for (size_t i = n; --i > to;)
        out[i].value = of_bits(out[i - 1].value, entry->inputs.at[i].bits);
}

void xpl_entry_mutated(const xpl_entry *entry, td_rng *rng, trc_chosen_vec *out)
{
    enum { MOST = 4, COPY_OF = 8 };
    size_t first = out->len, n = entry->inputs.len;
    for (size_t i = 0; i < n; i++)
        trc_chosen_vec_push(out, entry->inputs.at[i].input);
    if (n == 0)
        return;
    for (uint64_t changes = 1 + td_rng_below(rng, MOST); changes > 0; changes--) {
        if (n > 1 && td_rng_below(rng, COPY_OF) == 0) {
            copy_value(entry, &out->at[first], rng);
            continue;
        }
        size_t i = (size_t)td_rng_below(rng, n);
        uint8_t bits = entry->inputs.at[i].bits;
        wire_input *in = &out->at[first + i];
        in->value = of_bits(mutate_value(in->value, bits, rng), bits);
    }
    TD_ASSERT(out->len == first + n);
}

/* ---- target pairs ---- */

static void add_target(xpl_target_list *w, uint32_t pair, bool is_wanted)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (w->at[i].pair == pair) {
            w->at[i].is_wanted = is_wanted;
            return;
        }
    if (w->n == XPL_MAX_TARGETS) { /* the oldest goes */
        for (uint32_t i = 1; i < w->n; i++)
            w->at[i - 1] = w->at[i];
        w->n--;
    }
    w->at[w->n++] = (xpl_target_pair){pair, is_wanted};
}

static void drop(xpl_target_list *w, uint32_t i)
{
    TD_ASSERT(i < w->n);
    for (w->n--; i < w->n; i++)
        w->at[i] = w->at[i + 1];
}

static void want(xpl_target_list *w, xpl_pair_cover *cover, uint32_t pair)
{
    cover->pairs.at[pair].n_tried++;
    add_target(w, pair, true);
}

/* What few runs covered and few jobs wanted. */
static void want_rare(xpl_target_list *w, xpl_pair_cover *cover, td_rng *rng)
{
    uint32_t best = (uint32_t)td_rng_below(rng, cover->pairs.len);
    for (uint32_t i = 1; i < DRAWS; i++) {
        uint32_t other = (uint32_t)td_rng_below(rng, cover->pairs.len);
        if (weight_of_pair(&cover->pairs.at[other]) <
            weight_of_pair(&cover->pairs.at[best]))
            best = other;
    }
    want(w, cover, best);
}

/* What was covered and few jobs wanted, however many runs have it: a thread that waits for it waits when
 * it comes there first, and not only when it does so in every run. */
static void want_covered(xpl_target_list *w, xpl_pair_cover *cover, td_rng *rng)
{
    const xpl_place_pair *pairs = cover->pairs.at;
    uint32_t best = (uint32_t)td_rng_below(rng, cover->pairs.len);
    for (uint32_t i = 1; i < 2 * DRAWS; i++) {
        uint32_t other = (uint32_t)td_rng_below(rng, cover->pairs.len);
        bool is_better =
            pairs[best].n_runs == 0 || pairs[other].n_tried < pairs[best].n_tried;
        if (pairs[other].n_runs > 0 && is_better)
            best = other;
    }
    want(w, cover, best);
}

static void avoid_frequent(xpl_target_list *w, const xpl_pair_cover *cover, td_rng *rng)
{
    uint32_t best = (uint32_t)td_rng_below(rng, cover->pairs.len);
    uint32_t other = (uint32_t)td_rng_below(rng, cover->pairs.len);
    if (cover->pairs.at[other].n_runs > cover->pairs.at[best].n_runs)
        best = other;
    add_target(w, best, false);
}

void xpl_target_pairs_mutate(xpl_target_list *w, xpl_pair_cover *cover, td_rng *rng)
{
    enum { OF = 8, WANT = 5, COVERED = 2 };
    if (cover->pairs.len == 0)
        return;
    uint64_t how = td_rng_below(rng, OF);
    if (how < COVERED)
        want_covered(w, cover, rng);
    else if (how < WANT || (how > WANT && w->n == 0))
        want_rare(w, cover, rng);
    else if (how == WANT)
        avoid_frequent(w, cover, rng);
    else if (how == WANT + 1)
        drop(w, (uint32_t)td_rng_below(rng, w->n));
    else
        w->at[td_rng_below(rng, w->n)].is_wanted ^= true;
    TD_ASSERT(w->n <= XPL_MAX_TARGETS);
}

void xpl_target_pairs_put(const xpl_target_list *w, const xpl_pair_cover *cover,
                          trc_step_vec *steps)
{
    for (uint32_t i = 0; i < w->n; i++) {
        TD_ASSERT(w->at[i].pair < cover->pairs.len);
        const xpl_place_pair *p = &cover->pairs.at[w->at[i].pair];
        trc_step_vec_push(steps, (wire_step){WIRE_STEP_FROM, p->from});
        trc_step_vec_push(steps, (wire_step){w->at[i].is_wanted ? WIRE_STEP_WANTED
                                                                : WIRE_STEP_UNWANTED,
                                             p->to});
    }
}
