/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/guided/saved.h"

#include "base/assert.h"

/* The bytes: a version; jobs, the longest run, runs; the number of pairs, and of each its places, runs, the
 * last of these and jobs that wanted it; the number of entries, and of each its target pairs (twice
 * the number of the pair, and 1 if it is wanted), steps, inputs, choices, rarest pair and side (0:
 * none, else their numbers from 1) and how often it was drawn. Sides come before the entries: how
 * many, and of each its site, side, runs and the last of these. */

enum {
    VERSION = 2,
    MAX_ENTRY_INPUTS = 1 << 16,
    LEAST_PAIR = 5, /* bytes */
    LEAST_ENTRY = 7,
    LEAST_STEP = 2,
    LEAST_INPUT = 11,
    LEAST_SIDE = 4,
};
#define MAX_COUNT                                                                        \
    (UINT64_C(1) << 48) /* limit of runs and jobs: sums of these do not wrap around */

static void entry_fini(xpl_entry *l)
{
    trc_step_vec_fini(&l->steps);
    xpl_entry_input_vec_fini(&l->inputs);
}

void xpl_saved_fini(xpl_saved *s)
{
    xpl_pair_cover_fini(&s->cover);
    xpl_corpus_fini(&s->corpus);
    *s = (xpl_saved){0};
}

/* ---- out ---- */

static uint64_t count_of(uint64_t n)
{
    return n < MAX_COUNT ? n : MAX_COUNT;
}

static void put_pair(xpl_byte_vec *out, const xpl_place_pair *p)
{
    xpl_put_number(out, p->from);
    xpl_put_number(out, p->to);
    xpl_put_number(out, count_of(p->n_runs));
    xpl_put_number(out, count_of(p->last_run));
    xpl_put_number(out, count_of(p->n_tried));
}

static void put_schedule(xpl_byte_vec *out, const xpl_entry *l)
{
    xpl_put_number(out, l->steps.len);
    for (size_t i = 0; i < l->steps.len; i++) {
        xpl_put_number(out, l->steps.at[i].thread);
        xpl_put_number(out, l->steps.at[i].count);
    }
    xpl_put_number(out, l->inputs.len);
    for (size_t i = 0; i < l->inputs.len; i++) {
        xpl_put_word(out, l->inputs.at[i].input.key);
        xpl_put_number(out, l->inputs.at[i].input.value);
        xpl_put_number(out, l->inputs.at[i].after_choices);
        xpl_byte_vec_push(out, l->inputs.at[i].bits);
    }
    xpl_put_number(out, l->n_choices);
}

/* More than an entry without it takes. */
static size_t size_of_schedule(const xpl_entry *l)
{
    enum { MOST_STEP = 10, MOST_INPUT = 24 };
    return l->steps.len * MOST_STEP + l->inputs.len * MOST_INPUT;
}

static void put_entry(xpl_byte_vec *out, const xpl_entry *l)
{
    const xpl_entry none = {0};
    bool fits = l->inputs.len <= MAX_ENTRY_INPUTS &&
                out->len + size_of_schedule(l) <= XPL_MAX_SAVED / 2;
    xpl_put_number(out, l->targets.n);
    for (uint32_t i = 0; i < l->targets.n; i++)
        xpl_put_number(out,
                       2 * (uint64_t)l->targets.at[i].pair + l->targets.at[i].is_wanted);
    put_schedule(out, fits ? l : &none);
    xpl_put_number(out, (uint64_t)(l->rarest + 1)); /* XPL_NO_PAIR: 0 */
    xpl_put_number(out, (uint64_t)(l->side + 1));
    xpl_put_number(out, count_of(l->n_drawn));
}

static void put_sides(xpl_byte_vec *out, const xpl_side_cover *c)
{
    xpl_put_number(out, count_of(c->n_runs));
    xpl_put_number(out, c->sides.len);
    for (size_t i = 0; i < c->sides.len; i++) {
        const xpl_taken_side *s = &c->sides.at[i];
        xpl_put_number(out, s->site);
        xpl_put_number(out, s->side);
        xpl_put_number(out, count_of(s->n_runs));
        xpl_put_number(out, count_of(s->last_run));
    }
}

void xpl_saved_write(const xpl_saved *s, xpl_byte_vec *out)
{
    TD_ASSERT(s->corpus.entries.len <= XPL_MAX_ENTRIES); /* (L1) */
    xpl_byte_vec_push(out, VERSION);
    xpl_put_number(out, count_of(s->n_jobs));
    xpl_put_number(out, s->longest);
    xpl_put_number(out, count_of(s->cover.n_runs));
    xpl_put_number(out, s->cover.pairs.len);
    for (size_t i = 0; i < s->cover.pairs.len; i++)
        put_pair(out, &s->cover.pairs.at[i]);
    put_sides(out, &s->corpus.sides);
    xpl_put_number(out, s->corpus.entries.len);
    for (size_t i = 0; i < s->corpus.entries.len; i++)
        put_entry(out, &s->corpus.entries.at[i]);
}

/* ---- in ---- */

static TD_MUST_USE td_status get_at_most(xpl_reader *r, uint64_t most, uint64_t *out)
{
    TD_TRY(xpl_get_number(r, out));
    return *out > most ? xpl_reader_bad(r, "a number is too large") : TD_OK;
}

static TD_MUST_USE td_status get_pair(xpl_reader *r, xpl_pair_cover *cover)
{
    xpl_place_pair p = {0};
    TD_TRY(xpl_get_u32(r, &p.from));
    TD_TRY(xpl_get_u32(r, &p.to));
    TD_TRY(get_at_most(r, cover->n_runs, &p.n_runs));
    TD_TRY(get_at_most(r, cover->n_runs, &p.last_run));
    TD_TRY(get_at_most(r, MAX_COUNT, &p.n_tried));
    if (p.n_runs > p.last_run || (p.n_runs == 0 && p.last_run > 0))
        return xpl_reader_bad(r, "a pair with more runs than the session had");
    return xpl_pair_cover_put(cover, &p) ? TD_OK : xpl_reader_bad(r, "a duplicate pair");
}

static TD_MUST_USE td_status get_target_pairs(xpl_reader *r, size_t n_pairs,
                                              xpl_target_list *w)
{
    size_t n;
    TD_TRY(xpl_get_count(r, XPL_MAX_TARGETS, 1, &n));
    for (size_t i = 0; i < n; i++) {
        uint64_t number;
        TD_TRY(xpl_get_number(r, &number));
        if (number / 2 >= n_pairs)
            return xpl_reader_bad(r, "a target pair that does not exist");
        for (uint32_t k = 0; k < w->n; k++)
            if (w->at[k].pair == number / 2)
                return xpl_reader_bad(r, "a duplicate target pair");
        w->at[w->n++] = (xpl_target_pair){(uint32_t)(number / 2), number % 2 == 1};
    }
    return TD_OK;
}

/* Marks and target pairs are also steps of a job; the steps of an entry have none (wire.h, WIRE_STEP_LEFT). */
static TD_MUST_USE td_status get_steps(xpl_reader *r, xpl_entry *l)
{
    size_t n;
    TD_TRY(xpl_get_count(r, XPL_MAX_ENTRY_OPS, LEAST_STEP, &n));
    trc_step_vec_reserve(&l->steps, n);
    for (size_t i = 0; i < n; i++) {
        wire_step s = {0};
        TD_TRY(xpl_get_u32(r, &s.thread));
        TD_TRY(xpl_get_u32(r, &s.count));
        if (s.thread >= WIRE_STEP_LEFT || wire_names_store(s))
            return xpl_reader_bad(r, "a step without a thread");
        if (s.count == 0)
            return xpl_reader_bad(r, "a step without operations");
        trc_step_vec_push(&l->steps, s);
    }
    return TD_OK;
}

static TD_MUST_USE td_status get_inputs(xpl_reader *r, xpl_entry *l)
{
    size_t n;
    TD_TRY(xpl_get_count(r, MAX_ENTRY_INPUTS, LEAST_INPUT, &n));
    xpl_entry_input_vec_reserve(&l->inputs, n);
    for (size_t i = 0; i < n; i++) {
        xpl_entry_input in = {0};
        TD_TRY(xpl_get_word(r, &in.input.key));
        TD_TRY(xpl_get_number(r, &in.input.value));
        TD_TRY(xpl_get_u32(r, &in.after_choices));
        TD_TRY(xpl_get_byte(r, &in.bits));
        if (in.bits == 0 || in.bits > 64)
            return xpl_reader_bad(r, "an input with an invalid width");
        xpl_entry_input_vec_push(&l->inputs, in);
    }
    return TD_OK;
}

/* Reads an index below n; 0 in the bytes is none, UINT32_MAX here. */
static TD_MUST_USE td_status get_named(xpl_reader *r, size_t n, uint32_t *out)
{
    uint64_t number;
    TD_TRY(xpl_get_number(r, &number));
    if (number > n)
        return xpl_reader_bad(
            r, "a corpus seed for a pair or branch outcome that does not exist");
    *out = (uint32_t)number - 1;
    return TD_OK;
}

static TD_MUST_USE td_status get_entry(xpl_reader *r, size_t n_pairs, size_t n_sides,
                                       xpl_entry *out)
{
    uint64_t n_choices;
    TD_TRY(get_target_pairs(r, n_pairs, &out->targets));
    TD_TRY(get_steps(r, out));
    TD_TRY(get_inputs(r, out));
    TD_TRY(get_at_most(r, XPL_MAX_ENTRY_OPS, &n_choices));
    TD_TRY(get_named(r, n_pairs, &out->rarest));
    TD_TRY(get_named(r, n_sides, &out->side));
    TD_TRY(get_at_most(r, MAX_COUNT, &out->n_drawn));
    if (out->rarest == XPL_NO_PAIR && out->side == XPL_NO_SIDE)
        return xpl_reader_bad(r, "a corpus seed without a pair or branch outcome");
    out->n_choices = (uint32_t)n_choices;
    return TD_OK;
}

static TD_MUST_USE td_status get_sides(xpl_reader *r, xpl_side_cover *c)
{
    size_t n;
    TD_TRY(get_at_most(r, MAX_COUNT, &c->n_runs));
    TD_TRY(xpl_get_count(r, XPL_MAX_SIDES, LEAST_SIDE, &n));
    for (size_t i = 0; i < n; i++) {
        xpl_taken_side s = {0};
        TD_TRY(xpl_get_u32(r, &s.site));
        TD_TRY(xpl_get_u32(r, &s.side));
        TD_TRY(get_at_most(r, c->n_runs, &s.n_runs));
        TD_TRY(get_at_most(r, c->n_runs, &s.last_run));
        if (s.n_runs == 0 || s.n_runs > s.last_run)
            return xpl_reader_bad(r,
                                  "a branch outcome with an impossible number of runs");
        if (!xpl_side_cover_put(c, &s))
            return xpl_reader_bad(r, "a duplicate branch outcome");
    }
    return TD_OK;
}

static TD_MUST_USE td_status get_entries(xpl_reader *r, xpl_saved *out)
{
    size_t n;
    TD_TRY(xpl_get_count(r, XPL_MAX_ENTRIES, LEAST_ENTRY, &n));
    for (size_t i = 0; i < n; i++) {
        xpl_entry entry = {0};
        td_status status =
            get_entry(r, out->cover.pairs.len, out->corpus.sides.sides.len, &entry);
        if (status != TD_OK) {
            entry_fini(&entry);
            return status;
        }
        xpl_entry_vec_push(&out->corpus.entries, entry);
    }
    return TD_OK;
}

static TD_MUST_USE td_status get_saved(xpl_reader *r, xpl_saved *out)
{
    uint8_t version = 0;
    size_t n;
    TD_TRY(xpl_get_byte(r, &version));
    if (version != VERSION)
        return xpl_reader_bad(r, "it is of another version");
    TD_TRY(get_at_most(r, MAX_COUNT, &out->n_jobs));
    TD_TRY(xpl_get_u32(r, &out->longest));
    TD_TRY(get_at_most(r, MAX_COUNT, &out->cover.n_runs));
    TD_TRY(xpl_get_count(r, XPL_MAX_PAIRS, LEAST_PAIR, &n));
    for (size_t i = 0; i < n; i++)
        TD_TRY(get_pair(r, &out->cover));
    TD_TRY(get_sides(r, &out->corpus.sides));
    TD_TRY(get_entries(r, out));
    return r->at == r->end ? TD_OK : xpl_reader_bad(r, "something follows it");
}

td_status xpl_saved_read(const uint8_t *at, size_t len, xpl_saved *out, td_diag *diag)
{
    xpl_reader r = {at, at + len, "the saved state of the search guided", diag};
    *out = (xpl_saved){0};
    td_status status = get_saved(&r, out);
    if (status != TD_OK)
        xpl_saved_fini(out);
    return status;
}
