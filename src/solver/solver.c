/* SPDX-License-Identifier: Apache-2.0 */
/* The chain: from the constraints of a query to its answer. */
#include "solver/solver_int.h"

#include <stdlib.h>

#include "base/assert.h"

enum { NO_LIMIT = 1 << 30 };

static const slv_opts defaults = {.limit_ms = SLV_LIMIT_MS,
                                  .conflicts = 1000,
                                  .guesses = 200};

slv *slv_new(exp_dag *d, const slv_opts *opts)
{
    slv *s = td_alloc(sizeof *s);
    slv_out_of_memory_start();
    s->d = d;
    if (opts)
        s->opts = *opts;
    if (s->opts.limit_ms == 0)
        s->opts.limit_ms = defaults.limit_ms;
    if (s->opts.conflicts == 0)
        s->opts.conflicts = defaults.conflicts;
    if (s->opts.guesses == 0)
        s->opts.guesses = defaults.guesses;
    if (!s->opts.blast)
        s->opts.blast = &slv_engine_cadical;
    if (!s->opts.smt)
        s->opts.smt = &slv_engine_z3;
    slv_caches_init(&s->caches);
    return s;
}

static const slv_engine *engine_of(const slv *s, slv_stage stage)
{
    TD_ASSERT(stage == SLV_STAGE_BLAST || stage == SLV_STAGE_SMT);
    return stage == SLV_STAGE_BLAST ? s->opts.blast : s->opts.smt;
}

void slv_free(slv *s)
{
    if (!s)
        return;
    for (slv_stage i = SLV_STAGE_BLAST; i < SLV_N_STAGES; i++)
        if (s->engines[i])
            engine_of(s, i)->close(s->engines[i]);
    slv_caches_fini(&s->caches);
    slv_guesser_fini(&s->guesser);
    exp_ref_vec_fini(&s->constraints);
    exp_ref_vec_fini(&s->stack);
    slv_part_vec_fini(&s->parts);
    exp_tape_fini(&s->tape);
    exp_value_vec_fini(&s->work);
    exp_u32_vec_fini(&s->inputs);
    exp_value_vec_fini(&s->values);
    slv_pair_vec_fini(&s->pairs);
    exp_ref_vec_fini(&s->core);
    exp_u32_vec_fini(&s->parent);
    exp_u32_vec_fini(&s->by_input);
    exp_u32_vec_fini(&s->marked);
    td_free(s);
}

static bool uses(const slv *s, slv_stage stage)
{
    return !(s->opts.skip >> stage & 1);
}

/* --- Folding --- */

static int by_ref(const void *a, const void *b)
{
    const exp_ref *x = a, *y = b;
    return (x->ix > y->ix) - (x->ix < y->ix);
}

/* Constraints that hold together if and only if e does; false if e is never true. */
static bool split_constraint(slv *s, exp_ref e)
{
    td_u128 value;
    exp_node n = exp_at(s->d, e);
    if (exp_is_const(s->d, e, &value))
        return value != 0;
    if (n.op == EXP_AND) {
        exp_ref_vec_push(&s->stack, n.arg[0]);
        exp_ref_vec_push(&s->stack, n.arg[1]);
        return true;
    }
    exp_node x = n.op == EXP_NOT ? exp_at(s->d, n.arg[0]) : n;
    if (n.op == EXP_NOT && x.op == EXP_OR) {
        exp_ref_vec_push(&s->stack, exp_unary(s->d, EXP_NOT, x.arg[0]));
        exp_ref_vec_push(&s->stack, exp_unary(s->d, EXP_NOT, x.arg[1]));
        return true;
    }
    exp_ref_vec_push(&s->constraints, e);
    return true;
}

static bool is_among(const slv *s, exp_ref e)
{
    return bsearch(&e, s->constraints.at, s->constraints.len, sizeof e, by_ref) != NULL;
}

/* Sorts, drops repetitions; false if a constraint and its opposite are there. */
static bool order_constraints(slv *s)
{
    if (s->constraints.len == 0)
        return true;
    qsort(s->constraints.at, s->constraints.len, sizeof *s->constraints.at, by_ref);
    size_t n = 0;
    for (size_t i = 0; i < s->constraints.len; i++)
        if (n == 0 || !exp_same(s->constraints.at[i], s->constraints.at[n - 1]))
            s->constraints.at[n++] = s->constraints.at[i];
    s->constraints.len = n;
    for (size_t i = 0; i < n; i++) {
        exp_node x = exp_at(s->d, s->constraints.at[i]);
        if (x.op == EXP_NOT && is_among(s, x.arg[0]))
            return false;
    }
    return true;
}

static bool fold(slv *s, const slv_query *q)
{
    exp_ref_vec_clear(&s->constraints);
    exp_ref_vec_clear(&s->stack);
    for (size_t i = 0; i < q->n; i++) {
        TD_ASSERT(exp_width(s->d, q->constraints[i]) == 1);
        exp_ref_vec_push(&s->stack, q->constraints[i]);
    }
    while (s->stack.len > 0)
        if (!split_constraint(s, exp_ref_vec_pop(&s->stack)))
            return false;
    return order_constraints(s);
}

/* --- One part --- */

static exp_values work_of(const slv *s)
{
    return (exp_values){s->work.at, s->work.len};
}

/* The part's constraints on the tape, those that the hint does not satisfy first: there a
 * wrong candidate shows soonest. */
static void load_part(slv *s, const slv_part *p)
{
    TD_ASSERT(p->n > 0 && p->first + p->n <= s->constraints.len);
    const exp_ref *constraints = s->constraints.at + p->first;
    exp_tape_clear(&s->tape);
    for (size_t i = 0; i < p->n; i++)
        exp_tape_add(&s->tape, s->d, constraints[i]);
    exp_tape_run(&s->tape, work_of(s));
    exp_ref_vec_clear(&s->stack);
    for (int holds = 0; holds < 2; holds++)
        for (size_t i = p->n; i-- > 0;)
            if ((exp_tape_value(&s->tape, constraints[i]) != 0) == holds)
                exp_ref_vec_push(&s->stack, constraints[i]);
    exp_tape_clear(&s->tape);
    for (size_t i = 0; i < p->n; i++)
        exp_tape_add(&s->tape, s->d, s->stack.at[i]);
    exp_u32_vec_clear(&s->inputs);
    exp_set_list(s->d, p->inputs, &s->inputs);
}

/* The part's inputs as they are in work, to s->pairs. */
static void collect_pairs(slv *s)
{
    slv_pair_vec_clear(&s->pairs);
    for (size_t i = 0; i < s->inputs.len; i++) {
        uint32_t input = s->inputs.at[i];
        TD_ASSERT(input < s->work.len);
        td_u128 value = s->work.at[input] & exp_ones(exp_input_width(s->d, input));
        slv_pair_vec_push(&s->pairs, (slv_pair){.value = value, .input = input});
    }
}

/* Puts the pairs into work; true if the part then holds. Otherwise work is as before. */
static bool try_pairs(slv *s, const slv_part *p, const slv_pair *pairs, size_t n)
{
    TD_ASSERT(pairs != s->pairs.at || n == 0); /* collecting would write over them */
    collect_pairs(s);
    for (size_t i = 0; i < n; i++)
        if (exp_set_has(s->d, p->inputs, pairs[i].input))
            s->work.at[pairs[i].input] = pairs[i].value;
    if (exp_tape_holds(&s->tape, work_of(s)) == p->n)
        return true;
    for (size_t i = 0; i < s->pairs.len; i++)
        s->work.at[s->pairs.at[i].input] = s->pairs.at[i].value;
    return false;
}

/* The answer is found; for SAT the model is in work. */
static bool answered(slv_part *p, slv_answer answer, slv_stage stage)
{
    p->answer = answer;
    p->stage = stage;
    return true;
}

static bool by_exact(slv *s, slv_part *p)
{
    const slv_known *k = slv_caches_find(&s->caches, p->key);
    if (!k)
        return false;
    if (k->answer == SLV_UNSAT)
        return answered(p, SLV_UNSAT, SLV_STAGE_EXACT);
    if (k->answer == SLV_SAT)
        return try_pairs(s, p, s->caches.pairs.at + k->first, k->n) &&
               answered(p, SLV_SAT, SLV_STAGE_EXACT);
    return k->limit_ms >= s->limit_ms && answered(p, SLV_UNKNOWN, SLV_STAGE_EXACT);
}

static bool by_model(slv *s, slv_part *p)
{
    const slv_model *m;
    for (size_t i = 0; (m = slv_caches_model(&s->caches, p->inputs, i)); i++)
        if (exp_set_overlap(s->d, m->inputs, p->inputs) &&
            try_pairs(s, p, m->pairs.at, m->pairs.len))
            return answered(p, SLV_SAT, SLV_STAGE_MODEL);
    return false;
}

static bool by_guess(slv *s, slv_part *p)
{
    slv_guesser *g = &s->guesser;
    g->d = s->d;
    g->tape = &s->tape;
    g->values = s->work.at;
    g->n_values = s->work.len;
    g->max_tries = s->opts.guesses;
    collect_pairs(s);
    if (slv_guess(g) && exp_tape_holds(&s->tape, work_of(s)) == p->n)
        return answered(p, SLV_SAT, SLV_STAGE_GUESS);
    for (size_t i = 0; i < s->pairs.len; i++)
        s->work.at[s->pairs.at[i].input] = s->pairs.at[i].value;
    return false;
}

/* Keeps what was found at any price; a part that was known exactly is not kept again. */
static void remember(slv *s, const slv_part *p)
{
    if (p->stage <= SLV_STAGE_EXACT)
        return;
    if (p->answer == SLV_UNKNOWN && s->given_ms < s->limit_ms / 2)
        return; /* other parts took the time */
    if (p->answer == SLV_SAT) {
        collect_pairs(s);
        if (uses(s, SLV_STAGE_MODEL) && p->stage != SLV_STAGE_MODEL)
            slv_caches_put_model(&s->caches, p->inputs, &s->pairs);
    }
    if (uses(s, SLV_STAGE_EXACT)) {
        slv_known k = {.key = p->key, .answer = (uint8_t)p->answer};
        k.limit_ms = s->limit_ms;
        slv_caches_put(&s->caches, k, &s->pairs);
    }
}

/* True if the part is answered without an engine. */
static bool answer_cheaply(slv *s, slv_part *p)
{
    load_part(s, p);
    if (uses(s, SLV_STAGE_HINT) && exp_tape_holds(&s->tape, work_of(s)) == p->n)
        return answered(p, SLV_SAT, SLV_STAGE_HINT);
    p->key = slv_part_key(s, p);
    if (uses(s, SLV_STAGE_EXACT) && by_exact(s, p))
        return true;
    if (uses(s, SLV_STAGE_CORE) &&
        slv_caches_has_core(&s->caches, s->constraints.at + p->first, p->n))
        return answered(p, SLV_UNSAT, SLV_STAGE_CORE);
    if (uses(s, SLV_STAGE_MODEL) && by_model(s, p))
        return true;
    return uses(s, SLV_STAGE_GUESS) && by_guess(s, p);
}

/* --- Engines --- */

static uint32_t ms_left(const slv *s)
{
    uint64_t now = slv_now_ns();
    return now < s->deadline_ns ? (uint32_t)((s->deadline_ns - now + 999999) / 1000000)
                                : 0;
}

/* The model of an engine is not believed. */
static slv_answer check_model(slv *s, const slv_part *p)
{
    slv_pair_vec found = {0};
    for (size_t i = 0; i < s->inputs.len; i++)
        slv_pair_vec_push(&found,
                          (slv_pair){.value = s->values.at[i], .input = s->inputs.at[i]});
    bool holds = try_pairs(s, p, found.at, found.len);
    slv_pair_vec_fini(&found);
    if (!holds)
        s->stats.wrong_models++;
    return holds ? SLV_SAT : SLV_UNKNOWN;
}

static void keep_core(slv *s, const slv_part *p)
{
    TD_ASSERT(s->core.len <= p->n); /* a core is made of the part's constraints */
    if (!uses(s, SLV_STAGE_CORE))
        return;
    if (s->core.len == 0)
        exp_ref_vec_append(&s->core, s->constraints.at + p->first, p->n);
    qsort(s->core.at, s->core.len, sizeof *s->core.at, by_ref);
    slv_caches_put_core(&s->caches, s->core.at, s->core.len);
}

/* The engine's own answer. */
static slv_answer ask(slv *s, slv_part *p, slv_stage stage, uint32_t conflicts)
{
    const slv_engine *engine = engine_of(s, stage);
    uint64_t start = slv_now_ns();
    if (!s->engines[stage])
        s->engines[stage] = engine->open(s->d);
    exp_value_vec_reserve(&s->values, s->inputs.len + 1);
    memset(s->values.at, 0, s->inputs.len * sizeof *s->values.at);
    exp_ref_vec_clear(&s->core);
    slv_task task = {.constraints = s->constraints.at + p->first,
                     .n = p->n,
                     .inputs = s->inputs.at,
                     .n_inputs = s->inputs.len,
                     .limit_ms = ms_left(s),
                     .conflicts = conflicts,
                     .stop = s->stop,
                     .values = s->values.at,
                     .core = &s->core};
    if (task.limit_ms == 0 || td_stops_now(task.stop))
        return SLV_UNKNOWN;
    slv_answer answer = engine->solve(s->engines[stage], &task);
    s->stats.calls[stage]++;
    s->stats.seconds[stage] += (double)(slv_now_ns() - start) * 1e-9;
    return answer;
}

static slv_answer ask_and_check(slv *s, slv_part *p, slv_stage stage, uint32_t conflicts)
{
    if (!uses(s, stage))
        return SLV_UNKNOWN;
    slv_answer answer = ask(s, p, stage, conflicts);
    if (answer == SLV_SAT)
        answer = check_model(s, p);
    else if (answer == SLV_UNSAT)
        keep_core(s, p);
    answered(p, answer, stage);
    return answer;
}

/* What Z3 refuses goes back to bit-blasting, for as long as there is time. */
static void answer_by_engines(slv *s, slv_part *p)
{
    load_part(s, p);
    s->given_ms = ms_left(s);
    if (ask_and_check(s, p, SLV_STAGE_BLAST, s->opts.conflicts) == SLV_UNKNOWN &&
        ask_and_check(s, p, SLV_STAGE_SMT, 0) == SLV_UNKNOWN)
        ask_and_check(s, p, SLV_STAGE_BLAST, NO_LIMIT);
}

/* --- The whole query --- */

static void count_part(slv *s, const slv_part *p)
{
    if (p->answer != SLV_UNKNOWN)
        s->stats.part_by_stage[p->stage]++;
}

/* The cheap stages of all parts come first: one part that cannot hold is enough. */
static slv_answer solve_parts(slv *s, slv_stage *last)
{
    slv_answer answer = SLV_SAT;
    s->stats.parts += s->parts.len;
    for (int engines = 0; engines < 2; engines++) {
        for (size_t i = 0; i < s->parts.len; i++) {
            slv_part *p = &s->parts.at[i];
            bool is_open = p->stage == SLV_STAGE_FOLD;
            if (!is_open)
                continue;
            if (!engines && !answer_cheaply(s, p))
                continue;
            if (engines)
                answer_by_engines(s, p);
            remember(s, p);
            count_part(s, p);
            if (p->stage > *last)
                *last = p->stage;
            if (p->answer == SLV_UNSAT) {
                *last = p->stage;
                return SLV_UNSAT;
            }
            if (p->answer == SLV_UNKNOWN)
                answer = SLV_UNKNOWN;
        }
    }
    return answer;
}

/* The hint, wide enough for all inputs of the constraints. */
static void load_hint(slv *s, const slv_query *q)
{
    size_t n = q->hint.n;
    for (size_t i = 0; i < s->parts.len; i++) {
        exp_u32_vec_clear(&s->inputs);
        exp_set_list(s->d, s->parts.at[i].inputs, &s->inputs);
        if (s->inputs.len > 0 && s->inputs.at[s->inputs.len - 1] >= n)
            n = s->inputs.at[s->inputs.len - 1] + 1u;
    }
    exp_value_vec_clear(&s->work);
    exp_value_vec_append(&s->work, q->hint.at, q->hint.n);
    while (s->work.len < n)
        exp_value_vec_push(&s->work, 0);
}

static slv_answer solve(slv *s, const slv_query *q, slv_stage *last)
{
    *last = SLV_STAGE_FOLD;
    slv_part_vec_clear(&s->parts);
    if (!fold(s, q))
        return SLV_UNSAT;
    if (s->constraints.len > 0)
        slv_slice(s);
    load_hint(s, q);
    s->stop = q->stop;
    s->limit_ms = q->limit_ms ? q->limit_ms : s->opts.limit_ms;
    s->deadline_ns = slv_now_ns() + (uint64_t)s->limit_ms * 1000000u;
    TD_ASSERT(s->limit_ms > 0);
    return solve_parts(s, last);
}

slv_answer slv_solve(slv *s, const slv_query *q, exp_value_vec *model)
{
    slv_stage last;
    slv_answer answer = solve(s, q, &last);
    TD_ASSERT(last < SLV_N_STAGES);
    s->stats.queries++;
    s->stats.sat += answer == SLV_SAT;
    s->stats.unsat += answer == SLV_UNSAT;
    s->stats.unknown += answer == SLV_UNKNOWN;
    if (answer != SLV_UNKNOWN)
        s->stats.by_stage[last]++;
    if (!model)
        return answer;
    TD_ASSERT(model != &s->work);
    exp_value_vec_clear(model);
    if (answer == SLV_SAT)
        exp_value_vec_append(model, s->work.at, s->work.len);
    return answer;
}

const slv_stats *slv_statistics(const slv *s)
{
    return &s->stats;
}

const char *slv_stage_text(slv_stage stage)
{
    static const char *const names[SLV_N_STAGES] = {
#define SLV_STAGE_NAME(name, text) text,
        SLV_STAGES(SLV_STAGE_NAME)
#undef SLV_STAGE_NAME
    };
    return stage < SLV_N_STAGES ? names[stage] : "?";
}
