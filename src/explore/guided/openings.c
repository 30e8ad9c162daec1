/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/guided/openings.h"

#include "base/assert.h"

void xpl_openings_init(xpl_openings *o, const xpl_solver *solver)
{
    *o = (xpl_openings){.solver = *solver};
}

static void opening_fini(xpl_opening *o)
{
    trc_step_vec_fini(&o->steps);
    trc_chosen_vec_fini(&o->inputs);
}

void xpl_openings_fini(xpl_openings *o)
{
    pth_free(o->path);
    exp_value_vec_fini(&o->values);
    exp_ref_vec_fini(&o->conditions);
    xpl_cover_map_fini(&o->asked);
    for (size_t i = 0; i < o->waiting.len; i++)
        opening_fini(&o->waiting.at[i]);
    xpl_opening_vec_fini(&o->waiting);
}

/* ---- questions ---- */

enum { MOST_CASES = 64 };

/* The sides of a decision that runs took; how many. */
static size_t known_sides(const xpl_side_cover *sides, uint32_t site, uint32_t bucket,
                          uint32_t n, uint64_t *out)
{
    TD_ASSERT(n <= MOST_CASES);
    size_t n_known = 0;
    for (uint32_t side = 0; side < n; side++)
        if (xpl_side_cover_find(sides, site, xpl_side_name(bucket, side)) != XPL_NO_SIDE)
            out[n_known++] = side;
    return n_known;
}

/* Counts it. False: often enough. */
static bool may_ask(xpl_openings *o, uint32_t site, uint32_t bucket)
{
    uint64_t decision = (uint64_t)bucket << 32 | site;
    const uint32_t *n = xpl_cover_map_find(&o->asked, decision);
    uint32_t n_asked = n ? *n : 0;
    if (n_asked >= XPL_MAX_ASKED) /* (O1) */
        return false;
    *xpl_cover_map_at(&o->asked, decision) = n_asked + 1;
    return true;
}

/* True if a side of the decision is open, and was not asked for too often: then *other holds where one of
 * these is taken. */
static bool is_shut(xpl_openings *o, const xpl_side_cover *sides, const trc_op *op,
                    uint32_t bucket, uint32_t question, exp_ref *other)
{
    uint64_t known[MOST_CASES];
    uint32_t n = pth_n_sides(o->path, question);
    if (op->size == WIRE_DECIDE_VALUE || n == 0 || n > MOST_CASES)
        return false;
    size_t n_known = known_sides(sides, op->site, bucket, n, known);
    if (n_known == n || !may_ask(o, op->site, bucket))
        return false;
    *other = pth_none_of(o->path, question, known, n_known);
    return true;
}

/* Inputs for which the conditions hold, and the other one. */
static bool solve(xpl_openings *o, exp_ref other, trc_chosen_vec *inputs)
{
    exp_ref_vec all = {0};
    for (size_t i = 0; i < o->conditions.len; i++)
        exp_ref_vec_push(&all, o->conditions.at[i]);
    exp_ref_vec_push(&all, other);
    bool is_found = xpl_solve(&o->solver, o->path, &all, &o->values) == XPL_SAT;
    if (is_found)
        pth_job(o->path, all.at, all.len, (exp_values){o->values.at, o->values.len},
                inputs);
    exp_ref_vec_fini(&all);
    return is_found;
}

/* ---- runs ---- */

/* The first choices of a run. */
static void prefix(const trc *t, uint32_t n_choices, trc_step_vec *out)
{
    trc_step_vec all = {0};
    trc_schedule(t, &all);
    for (size_t i = 0; i < all.len && n_choices > 0; i++) {
        wire_step step = all.at[i];
        step.count = step.count < n_choices ? step.count : n_choices;
        n_choices -= step.count;
        trc_step_vec_push(out, step);
    }
    trc_step_vec_fini(&all);
}

static void try_open(xpl_openings *o, const trc *t, uint32_t n_choices, exp_ref other)
{
    xpl_opening opening = {0};
    pth_values(o->path, t, &o->values); /* to stay close to */
    if (solve(o, other, &opening.inputs)) {
        prefix(t, n_choices, &opening.steps);
        xpl_opening_vec_push(&o->waiting, opening);
    } else {
        opening_fini(&opening);
    }
}

/* One decision of the run, or an exchange whose outcome inputs decide, as a condition. */
static void add_condition(xpl_openings *o, const trc_op *op, uint32_t question)
{
    uint64_t side = mdl_decides(op->kind) ? op->old : !mdl_has_failed(op->kind);
    exp_ref_vec_push(&o->conditions, pth_condition(o->path, question, side));
}

static void look_at_all(xpl_openings *o, const xpl_side_cover *sides, const trc *t,
                        xpl_site_times *times)
{
    uint32_t n_choices = 0, n_asked = 0;
    for (size_t i = 0; i < t->ops.len && o->conditions.len < XPL_MAX_DECISIONS; i++) {
        const trc_op *op = &t->ops.at[i];
        bool decides = mdl_decides(op->kind);
        if (decides || (mdl_is_exchange(op->kind) && op->node > 0)) {
            trc_op asked = decides ? *op : trc_branch(op->node);
            uint32_t question = pth_question(o->path, t, &asked);
            uint32_t bucket = decides ? xpl_site_times_next(times, op->site) : 0;
            exp_ref other;
            if (decides && n_asked < XPL_MAX_ASKED_RUN &&
                o->waiting.len < XPL_MAX_OPENINGS &&
                is_shut(o, sides, op, bucket, question, &other)) {
                n_asked++;
                try_open(o, t, n_choices, other);
            }
            add_condition(o, op, question);
        }
        n_choices += trc_is_choice(op);
    }
    TD_ASSERT(o->waiting.len <= XPL_MAX_OPENINGS);
}

void xpl_openings_look(xpl_openings *o, const xpl_side_cover *sides, const trc *t)
{
    if (t->inputs.len == 0)
        return;
    if (!o->path)
        o->path = pth_new();
    pth_take(o->path, t);
    exp_ref_vec_clear(&o->conditions);
    xpl_site_times times = {0};
    look_at_all(o, sides, t, &times);
    xpl_site_times_fini(&times);
}

bool xpl_openings_take(xpl_openings *o, trc_step_vec *steps, trc_chosen_vec *inputs)
{
    if (o->waiting.len == 0)
        return false;
    xpl_opening first = o->waiting.at[0];
    for (size_t i = 1; i < o->waiting.len; i++)
        o->waiting.at[i - 1] = o->waiting.at[i];
    o->waiting.len--;
    for (size_t i = 0; i < first.steps.len; i++)
        trc_step_vec_push(steps, first.steps.at[i]);
    for (size_t i = 0; i < first.inputs.len; i++)
        trc_chosen_vec_push(inputs, first.inputs.at[i]);
    opening_fini(&first);
    return true;
}
