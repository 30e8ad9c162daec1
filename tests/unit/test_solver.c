/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of solver/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <z3.h>

#include "base/rng.h"
#include "solver/solver.h"

#define BIT(stage) (1u << SLV_STAGE_##stage)
enum {
    ALL_STAGES = (1u << SLV_N_STAGES) - 1,
    MAX_INPUTS = 3,
    MAX_CONSTRAINTS = 6,
    PLENTY_MS = 100000, /* where the limit is not what is tested */
};

static uint32_t all_but(uint32_t stages)
{
    return ALL_STAGES & ~stages;
}

static exp_ref op2(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    return exp_binary(d, op, a, b);
}

static exp_ref num(exp_dag *d, unsigned width, td_u128 v)
{
    return exp_const(d, width, v);
}

static slv_answer ask(slv *s, const exp_ref *constraints, size_t n, exp_value_vec *model)
{
    return slv_solve(s, &(slv_query){.constraints = constraints, .n = n}, model);
}

static bool have_cadical(void)
{
    exp_dag *d = exp_new();
    slv *s = slv_new(d, &(slv_opts){.skip = all_but(BIT(BLAST))});
    exp_ref x = exp_input(d, 0, 4), e = op2(d, EXP_ULT, num(d, 4, 3), x);
    bool have = ask(s, &e, 1, NULL) == SLV_SAT;
    slv_free(s);
    exp_free(d);
    return have;
}

/* --- Against enumeration --- */

typedef struct puzzle {
    td_rng rng;
    exp_dag *d;
    unsigned n_inputs, widths[MAX_INPUTS];
    exp_ref inputs[MAX_INPUTS];
    exp_ref constraints[MAX_CONSTRAINTS];
    size_t n;
} puzzle;

static unsigned below(puzzle *p, unsigned n)
{
    return (unsigned)td_rng_below(&p->rng, n);
}

static exp_ref fitted(puzzle *p, exp_ref e, unsigned width)
{
    unsigned have = exp_width(p->d, e);
    if (have > width)
        return exp_extract(p->d, e, below(p, have - width + 1), width);
    return below(p, 2) ? exp_zext(p->d, e, width) : exp_sext(p->d, e, width);
}

static exp_ref random_term(puzzle *p, unsigned width, int depth);

static exp_ref random_constraint(puzzle *p, int depth)
{
    static const exp_op ops[] = {EXP_EQ,  EXP_NE,  EXP_ULT, EXP_ULE,
                                 EXP_SLT, EXP_SLE, EXP_EQ};
    unsigned width = 1 + below(p, 6);
    exp_ref e = op2(p->d, ops[below(p, 7)], random_term(p, width, depth),
                    random_term(p, width, depth));
    if (depth > 0 && below(p, 4) == 0)
        e = op2(p->d, below(p, 2) ? EXP_OR : EXP_AND, e, random_constraint(p, depth - 1));
    return e;
}

static exp_ref random_term(puzzle *p, unsigned width, int depth)
{
    unsigned kind = depth == 0 ? below(p, 3) : below(p, 10);
    if (kind == 0)
        return num(p->d, width, td_rng_next(&p->rng));
    if (kind < 3)
        return fitted(p, p->inputs[below(p, p->n_inputs)], width);
    if (kind == 3)
        return exp_ite(p->d, random_constraint(p, depth - 1),
                       random_term(p, width, depth - 1),
                       random_term(p, width, depth - 1));
    if (kind == 4)
        return fitted(p, random_term(p, 1 + below(p, 8), depth - 1), width);
    exp_op op = (exp_op)(EXP_ADD + below(p, EXP_ASHR - EXP_ADD + 1));
    return op2(p->d, op, random_term(p, width, depth - 1),
               random_term(p, width, depth - 1));
}

static void make_puzzle(puzzle *p)
{
    p->n_inputs = 1 + below(p, MAX_INPUTS);
    for (unsigned i = 0; i < p->n_inputs; i++)
        p->inputs[i] = exp_input(p->d, 3 * i + p->widths[i] % 3, p->widths[i]);
    p->n = 1 + below(p, MAX_CONSTRAINTS);
    for (size_t i = 0; i < p->n; i++)
        p->constraints[i] = random_constraint(p, (int)below(p, 3));
}

static bool holds(const puzzle *p, exp_values values)
{
    for (size_t i = 0; i < p->n; i++)
        if (!exp_eval(p->d, p->constraints[i], values))
            return false;
    return true;
}

/* Tries all values of all inputs. */
static bool is_satisfiable(const puzzle *p)
{
    exp_tape t = {0};
    for (size_t i = 0; i < p->n; i++)
        exp_tape_add(&t, p->d, p->constraints[i]);
    unsigned bits = 0;
    for (unsigned i = 0; i < p->n_inputs; i++)
        bits += p->widths[i];
    bool found = false;
    for (uint32_t v = 0; v < 1u << bits && !found; v++) {
        td_u128 values[3 * MAX_INPUTS] = {0};
        uint32_t left = v;
        for (unsigned i = 0; i < p->n_inputs; i++) {
            values[exp_at(p->d, p->inputs[i]).number] = left;
            left >>= p->widths[i];
        }
        found = exp_tape_holds(&t, (exp_values){values, 3 * MAX_INPUTS}) == p->n;
    }
    exp_tape_fini(&t);
    return found;
}

/* Solves n random puzzles; returns how many were answered. complete: none may be unknown. */
static size_t solve_puzzles(uint64_t seed, size_t n, slv_opts opts, bool complete)
{
    puzzle p = {.rng = {seed}};
    p.d = exp_new();
    for (unsigned i = 0; i < MAX_INPUTS; i++)
        p.widths[i] = 2 + below(&p, 3);
    opts.limit_ms = PLENTY_MS;
    slv *s = slv_new(p.d, &opts);
    exp_value_vec model = {0};
    size_t n_answered = 0;
    for (size_t i = 0; i < n; i++) {
        make_puzzle(&p);
        td_u128 hint[3 * MAX_INPUTS];
        for (int k = 0; k < 3 * MAX_INPUTS; k++)
            hint[k] = td_rng_next(&p.rng); /* bits beyond the width do not count */
        slv_query q = {.constraints = p.constraints,
                       .n = p.n,
                       .hint = {hint, 3 * MAX_INPUTS}};
        slv_answer answer = slv_solve(s, &q, &model);
        n_answered += answer != SLV_UNKNOWN;
        if (complete)
            assert_int_not_equal(answer, SLV_UNKNOWN);
        if (answer == SLV_SAT)
            assert_true(holds(&p, (exp_values){model.at, model.len}));
        if (answer == SLV_UNSAT)
            assert_false(is_satisfiable(&p));
    }
    const slv_stats *stats = slv_statistics(s);
    assert_int_equal(stats->queries, n);
    assert_int_equal(stats->wrong_models, 0);
    assert_int_equal(stats->sat + stats->unsat, n_answered);
    exp_value_vec_fini(&model);
    slv_free(s);
    exp_free(p.d);
    return n_answered;
}

static void the_chain_agrees_with_enumeration(void **state)
{
    for (uint64_t seed = 1; seed <= 20; seed++)
        solve_puzzles(seed, 200, (slv_opts){0}, true);
}

static void z3_alone_agrees_with_enumeration(void **state)
{
    for (uint64_t seed = 1; seed <= 4; seed++)
        solve_puzzles(seed, 200, (slv_opts){.skip = all_but(BIT(SMT))}, true);
}

static void cadical_alone_agrees_with_enumeration(void **state)
{
    if (!have_cadical())
        skip();
    for (uint64_t seed = 1; seed <= 20; seed++)
        solve_puzzles(seed, 200,
                      (slv_opts){.skip = all_but(BIT(BLAST)), .conflicts = 100000}, true);
}

static void guesses_alone_are_right(void **state)
{
    size_t n = 0;
    for (uint64_t seed = 1; seed <= 10; seed++)
        n += solve_puzzles(seed, 200, (slv_opts){.skip = all_but(BIT(GUESS))}, false);
    assert_true(n > 500);
}

static void caches_alone_are_right(void **state)
{
    for (uint32_t stage = SLV_STAGE_EXACT; stage <= SLV_STAGE_MODEL; stage++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            slv_opts opts = {.skip = all_but(1u << stage | BIT(BLAST) | BIT(SMT))};
            solve_puzzles(seed, 200, opts, true);
        }
}

static void nothing_but_folding_is_unknown(void **state)
{
    slv_opts opts = {.skip = ALL_STAGES};
    size_t n = solve_puzzles(7, 200, opts, false);
    assert_true(n < 200);
}

/* --- Wider numbers, engine against engine --- */

static exp_ref wide_constraint(exp_dag *d, td_rng *rng, exp_ref x, exp_ref y)
{
    static const exp_op ops[] = {EXP_ADD,  EXP_SUB,  EXP_MUL, EXP_UDIV, EXP_SDIV,
                                 EXP_UREM, EXP_SREM, EXP_AND, EXP_OR,   EXP_XOR,
                                 EXP_SHL,  EXP_LSHR, EXP_ASHR};
    exp_op op = ops[td_rng_below(rng, 13)];
    exp_ref k = num(d, exp_width(d, x), td_rng_next(rng) >> td_rng_below(rng, 64));
    exp_ref e = op2(d, op, x, td_rng_below(rng, 2) ? y : k);
    exp_ref f = op2(d, EXP_XOR, y, num(d, exp_width(d, x), td_rng_below(rng, 99)));
    exp_op compare = td_rng_below(rng, 2) ? EXP_EQ : EXP_SLT;
    return op2(d, compare, e, td_rng_below(rng, 2) ? f : k);
}

static void engines_agree_on_wider_numbers(void **state)
{
    if (!have_cadical())
        skip();
    exp_dag *d = exp_new();
    td_rng rng = {11};
    slv *z3 = slv_new(d, &(slv_opts){.skip = all_but(BIT(SMT)), .limit_ms = 500});
    slv *sat = slv_new(d, &(slv_opts){.skip = all_but(BIT(BLAST)), .conflicts = 2000});
    size_t both = 0;
    for (int i = 0; i < 120; i++) {
        unsigned width = 5 + (unsigned)td_rng_below(&rng, 12);
        exp_ref x = exp_input(d, 2 * width, width),
                y = exp_input(d, 2 * width + 1, width);
        exp_ref constraints[3];
        for (int k = 0; k < 3; k++)
            constraints[k] = wide_constraint(d, &rng, x, y);
        slv_answer a = ask(z3, constraints, 3, NULL), b = ask(sat, constraints, 3, NULL);
        both += a != SLV_UNKNOWN && b != SLV_UNKNOWN;
        assert_true(a == b || a == SLV_UNKNOWN || b == SLV_UNKNOWN);
    }
    assert_true(both > 60);
    assert_int_equal(slv_statistics(z3)->wrong_models, 0);
    assert_int_equal(slv_statistics(sat)->wrong_models, 0);
    slv_free(z3);
    slv_free(sat);
    exp_free(d);
}

static void values_of_128_bits_come_back(void **state)
{
    exp_dag *d = exp_new();
    exp_ref x = exp_input(d, 0, 128), y = exp_input(d, 1, 128);
    td_u128 big = (td_u128)0x123456789abcdef0 << 64 | 0xfedcba9876543211;
    exp_ref constraints[2] = {op2(d, EXP_EQ, op2(d, EXP_XOR, x, y), num(d, 128, big)),
                              op2(d, EXP_ULT, num(d, 128, big), y)};
    const uint32_t stages[] = {BIT(SMT), BIT(BLAST)};
    for (int i = 0; i < (have_cadical() ? 2 : 1); i++) {
        slv *s = slv_new(d, &(slv_opts){.skip = all_but(stages[i])});
        exp_value_vec model = {0};
        assert_int_equal(ask(s, constraints, 2, &model), SLV_SAT);
        assert_true((model.at[0] ^ model.at[1]) == big && model.at[1] > big);
        exp_value_vec_fini(&model);
        slv_free(s);
    }
    exp_free(d);
}

/* --- Single stages --- */

typedef struct two {
    exp_dag *d;
    exp_ref x, y;
} two;

static two two_inputs(void)
{
    exp_dag *d = exp_new();
    return (two){d, exp_input(d, 0, 32), exp_input(d, 1, 32)};
}

static exp_ref less_than(two w, exp_ref x, unsigned k)
{
    return op2(w.d, EXP_ULT, x, num(w.d, 32, k));
}

static exp_ref more_than(two w, exp_ref x, unsigned k)
{
    return op2(w.d, EXP_ULT, num(w.d, 32, k), x);
}

static void folding_needs_no_solver(void **state)
{
    two w = two_inputs();
    slv *s = slv_new(w.d, &(slv_opts){.skip = ALL_STAGES});
    exp_value_vec model = {0};
    exp_ref constraints[3] = {num(w.d, 1, 1), less_than(w, w.x, 5), num(w.d, 1, 0)};
    assert_int_equal(ask(s, constraints, 1, &model), SLV_SAT);
    assert_int_equal(ask(s, constraints, 0, &model), SLV_SAT);
    assert_int_equal(ask(s, constraints, 3, &model), SLV_UNSAT);
    exp_ref less = op2(w.d, EXP_ULT, w.x, w.y);
    exp_ref clash[2] = {less, op2(w.d, EXP_OR, op2(w.d, EXP_EQ, w.x, w.y), less)};
    clash[1] = exp_unary(w.d, EXP_NOT, clash[1]); /* contains not less */
    assert_int_equal(ask(s, clash, 2, &model), SLV_UNSAT);
    assert_int_equal(slv_statistics(s)->by_stage[SLV_STAGE_FOLD], 4);
    exp_value_vec_fini(&model);
    slv_free(s);
    exp_free(w.d);
}

static void the_hint_is_kept_where_it_can_be(void **state)
{
    two w = two_inputs();
    exp_ref z = exp_input(w.d, 2, 8);
    slv *s = slv_new(w.d, NULL);
    td_u128 hint[4] = {100, 7, 200, 55};
    exp_ref constraints[3] = {less_than(w, w.x, 50), less_than(w, w.y, 10),
                              op2(w.d, EXP_ULT, num(w.d, 8, 9), z)};
    slv_query q = {.constraints = constraints, .n = 3, .hint = {hint, 4}};
    exp_value_vec model = {0};
    assert_int_equal(slv_solve(s, &q, &model), SLV_SAT);
    assert_int_equal(model.len, 4);
    assert_true(model.at[0] < 50 && model.at[1] == 7 && model.at[2] == 200);
    assert_true(model.at[3] == 55);
    const slv_stats *stats = slv_statistics(s);
    assert_int_equal(stats->parts, 3);
    assert_int_equal(stats->part_by_stage[SLV_STAGE_HINT], 2);
    assert_int_equal(stats->by_stage[SLV_STAGE_GUESS], 1);
    exp_value_vec_fini(&model);
    slv_free(s);
    exp_free(w.d);
}

static void equal_parts_are_asked_once(void **state)
{
    two w = two_inputs();
    slv *s = slv_new(w.d, &(slv_opts){.skip = all_but(BIT(EXACT) | BIT(SMT))});
    exp_ref sat[2] = {less_than(w, w.x, 50), op2(w.d, EXP_ULT, w.y, w.x)};
    exp_ref turned[2] = {sat[1], sat[0]};
    exp_ref unsat[2] = {less_than(w, w.x, 50), more_than(w, w.x, 60)};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ask(s, i == 1 ? turned : sat, 2, NULL), SLV_SAT);
        assert_int_equal(ask(s, unsat, 2, NULL), SLV_UNSAT);
    }
    assert_int_equal(slv_statistics(s)->by_stage[SLV_STAGE_EXACT], 4);
    assert_int_equal(slv_statistics(s)->calls[SLV_STAGE_SMT], 2);
    slv_free(s);
    exp_free(w.d);
}

static void what_contains_a_core_is_unsat(uint32_t engine)
{
    two w = two_inputs();
    slv *s = slv_new(w.d, &(slv_opts){.skip = all_but(BIT(CORE) | engine)});
    exp_ref link = op2(w.d, EXP_ULT, w.x, w.y);
    exp_ref first[4] = {less_than(w, w.x, 50), link, more_than(w, w.x, 60),
                        more_than(w, w.y, 3)};
    assert_int_equal(ask(s, first, 4, NULL), SLV_UNSAT);
    /* The core is x < 50, x > 60; y did not matter. */
    exp_ref second[4] = {first[0], op2(w.d, EXP_ULT, w.y, w.x), first[2],
                         more_than(w, w.y, 9)};
    assert_int_equal(ask(s, second, 4, NULL), SLV_UNSAT);
    assert_int_equal(slv_statistics(s)->by_stage[SLV_STAGE_CORE], 1);
    exp_ref third[2] = {first[0], link};
    assert_int_equal(ask(s, third, 2, NULL), SLV_SAT);
    slv_free(s);
    exp_free(w.d);
}

static void cores_answer_supersets(void **state)
{
    what_contains_a_core_is_unsat(BIT(SMT));
    if (have_cadical())
        what_contains_a_core_is_unsat(BIT(BLAST));
}

static void earlier_models_are_tried(void **state)
{
    two w = two_inputs();
    slv *s = slv_new(w.d, &(slv_opts){.skip = all_but(BIT(MODEL) | BIT(SMT))});
    exp_ref hard = op2(w.d, EXP_EQ, op2(w.d, EXP_MUL, w.x, w.y), num(w.d, 32, 35));
    exp_ref constraints[3] = {hard, less_than(w, w.x, 1000), less_than(w, w.y, 1000)};
    exp_value_vec model = {0};
    assert_int_equal(ask(s, constraints, 3, &model), SLV_SAT);
    exp_ref fewer[2] = {hard, less_than(w, w.x, 2000)};
    assert_int_equal(ask(s, fewer, 2, &model), SLV_SAT);
    assert_int_equal(slv_statistics(s)->by_stage[SLV_STAGE_MODEL], 1);
    assert_int_equal(slv_statistics(s)->calls[SLV_STAGE_SMT], 1);
    exp_value_vec_fini(&model);
    slv_free(s);
    exp_free(w.d);
}

static void guess_answers(exp_dag *d, const exp_ref *constraints, size_t n)
{
    slv *s = slv_new(d, &(slv_opts){.skip = all_but(BIT(GUESS))});
    exp_value_vec model = {0};
    assert_int_equal(ask(s, constraints, n, &model), SLV_SAT);
    for (size_t i = 0; i < n; i++)
        assert_true(exp_eval(d, constraints[i], (exp_values){model.at, model.len}));
    assert_int_equal(slv_statistics(s)->by_stage[SLV_STAGE_GUESS], 1);
    exp_value_vec_fini(&model);
    slv_free(s);
}

static void guesses_undo_operations(void **state)
{
    two w = two_inputs();
    exp_dag *d = w.d;
    exp_ref line = op2(d, EXP_ADD, op2(d, EXP_MUL, w.x, num(d, 32, 6)), w.y);
    exp_ref one[] = {op2(d, EXP_EQ, line, num(d, 32, 71))};
    guess_answers(d, one, 1);
    exp_ref bank[] = {op2(d, EXP_SLT, num(d, 32, 30), w.x),
                      op2(d, EXP_EQ, op2(d, EXP_ADD, w.x, w.y), num(d, 32, 71))};
    guess_answers(d, bank, 2);
    exp_ref order[] = {op2(d, EXP_SLT, w.x, w.y), op2(d, EXP_SLT, w.y, num(d, 32, -100))};
    guess_answers(d, order, 2);
    /* A number made of bytes, read in the other byte order, in a range. */
    exp_ref bytes = exp_input(d, 10, 8);
    for (uint32_t i = 1; i < 4; i++)
        bytes = op2(d, EXP_CONCAT, bytes, exp_input(d, 10 + i, 8));
    exp_ref range[] = {op2(d, EXP_EQ, op2(d, EXP_ADD, exp_bswap(d, bytes), w.x),
                           num(d, 32, 0xdeadbeef)),
                       op2(d, EXP_EQ, w.x, num(d, 32, 77))};
    guess_answers(d, range, 2);
    exp_ref swapped[] = {op2(d, EXP_ULT, num(d, 32, 0x12345678), exp_bswap(d, w.x))};
    guess_answers(d, swapped, 1);
    exp_free(d);
}

/* --- Limits and failures --- */

/* Of the processor: others may be using it too. */
static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Factors of a prime: there are none, and no engine sees that in a second (factors of
 * a product of two primes are found now and then). */
static size_t factoring(exp_dag *d, exp_ref constraints[3])
{
    exp_ref x = exp_input(d, 0, 64), y = exp_input(d, 1, 64);
    td_u128 prime = ((td_u128)1 << 61) - 1;
    constraints[0] = op2(d, EXP_EQ, op2(d, EXP_MUL, x, y), num(d, 64, prime));
    constraints[1] = op2(d, EXP_ULT, num(d, 64, 1), x);
    constraints[2] = op2(d, EXP_ULT, x, y);
    exp_ref small = num(d, 64, (td_u128)1 << 32);
    constraints[2] = op2(d, EXP_AND, constraints[2], op2(d, EXP_ULT, y, small));
    return 3;
}

static void hard_queries_end_at_the_limit(void **state)
{
    const uint32_t skips[] = {0, BIT(BLAST), BIT(SMT)};
    for (int i = 0; i < 3; i++) {
        exp_dag *d = exp_new();
        exp_ref constraints[3];
        size_t n = factoring(d, constraints);
        slv_opts opts = {.skip = skips[i], .limit_ms = 600, .conflicts = 1u << 30};
        slv *s = slv_new(d, &opts);
        double start = seconds_now();
        assert_int_equal(ask(s, constraints, n, NULL), SLV_UNKNOWN);
        assert_true(seconds_now() - start < 3);
        /* Asked again, it is known to be too hard. */
        uint64_t calls = slv_statistics(s)->calls[SLV_STAGE_SMT];
        assert_int_equal(ask(s, constraints, n, NULL), SLV_UNKNOWN);
        assert_int_equal(slv_statistics(s)->calls[SLV_STAGE_SMT], calls);
        assert_int_equal(slv_statistics(s)->unknown, 2);
        /* It goes on as before. */
        exp_ref easy = op2(d, EXP_ULT, exp_input(d, 3, 8), num(d, 8, 4));
        assert_int_equal(ask(s, &easy, 1, NULL), SLV_SAT);
        slv_free(s);
        exp_free(d);
    }
}

static void *fake_open(const exp_dag *d)
{
    static int engine;
    return &engine;
}

static slv_answer fake_solve(void *engine, slv_task *task)
{
    for (size_t i = 0; i < task->n_inputs; i++)
        task->values[i] = 12345;
    return SLV_SAT;
}

static void fake_close(void *engine)
{
}

static const slv_engine liar = {"liar", fake_open, fake_solve, fake_close};

static void wrong_models_are_unknown(void **state)
{
    two w = two_inputs();
    slv_opts opts = {.skip = BIT(GUESS) | BIT(BLAST), .smt = &liar};
    slv *s = slv_new(w.d, &opts);
    exp_value_vec model = {0};
    exp_ref wrong = op2(w.d, EXP_EQ, w.x, num(w.d, 32, 9));
    exp_ref right = more_than(w, w.y, 12);
    assert_int_equal(ask(s, &wrong, 1, &model), SLV_UNKNOWN);
    assert_int_equal(model.len, 0);
    assert_int_equal(slv_statistics(s)->wrong_models, 1);
    assert_int_equal(ask(s, &right, 1, &model), SLV_SAT);
    assert_true(model.at[1] == 12345);
    /* A part without a solution outweighs one that is not known. */
    exp_ref both[3] = {wrong, more_than(w, w.y, 12), less_than(w, w.y, 3)};
    slv_free(s);
    opts = (slv_opts){.skip = BIT(GUESS), .blast = &liar};
    s = slv_new(w.d, &opts);
    assert_int_equal(ask(s, both, 3, &model), SLV_UNSAT);
    exp_value_vec_fini(&model);
    slv_free(s);
    exp_free(w.d);
}

static void ten_thousand_queries(void **state)
{
    solve_puzzles(99, 10000, (slv_opts){0}, true);
}

static void z3_starts_anew_when_it_holds_too_much(void **state)
{
    exp_dag *d = exp_new();
    slv_opts opts = {.skip = all_but(BIT(SMT)), .limit_ms = PLENTY_MS};
    slv *s = slv_new(d, &opts);
    exp_ref x = exp_input(d, 0, 2), y = exp_input(d, 1, 2);
    td_rng rng = {17};
    uint32_t before = exp_count(d);
    while (exp_count(d) - before < 120000) {
        exp_ref e = exp_input(d, 2 + (uint32_t)td_rng_below(&rng, 50000), 2);
        for (int i = 0; i < 250; i++)
            e = op2(d, i % 2 ? EXP_UDIV : EXP_XOR, e, td_rng_below(&rng, 2) ? x : y);
        exp_ref constraint = op2(d, EXP_NE, e, num(d, 2, td_rng_below(&rng, 4)));
        assert_int_not_equal(ask(s, &constraint, 1, NULL), SLV_UNKNOWN);
    }
    slv_free(s);
    exp_free(d);
}

/* Z3 alone would be busy for hours with it. */
static void deep_queries_end_soon(void **state)
{
    for (int depth = 1000; depth <= 100000; depth *= 10) {
        exp_dag *d = exp_new();
        slv *s = slv_new(d, &(slv_opts){.limit_ms = 500});
        exp_ref x = exp_input(d, 0, 16), e = x;
        for (int i = 0; i < depth; i++)
            e = op2(d, i % 2 ? EXP_XOR : EXP_ADD, e, i % 2 ? x : num(d, 16, 1));
        exp_ref constraints[] = {op2(d, EXP_ULT, num(d, 16, 3), x),
                                 op2(d, EXP_EQ, e, num(d, 16, 0))};
        double start = seconds_now();
        ask(s, constraints, 2, NULL);
        assert_true(seconds_now() - start < 4);
        slv_free(s);
        exp_free(d);
    }
}

/* What exp_smtlib writes is read by Z3 and has the same answer. */
static void smtlib_is_understood(void **state)
{
    puzzle p = {.rng = {5}};
    for (int i = 0; i < 30; i++) {
        p.d = exp_new();
        for (unsigned k = 0; k < MAX_INPUTS; k++)
            p.widths[k] = 2 + below(&p, 3);
        make_puzzle(&p);
        td_text text = {0};
        exp_smtlib(p.d, p.constraints, p.n, &text);
        Z3_config config = Z3_mk_config();
        Z3_context c = Z3_mk_context(config);
        const char *answer = Z3_eval_smtlib2_string(c, text.at);
        assert_string_equal(answer, is_satisfiable(&p) ? "sat\n" : "unsat\n");
        Z3_del_context(c);
        Z3_del_config(config);
        td_text_fini(&text);
        exp_free(p.d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chain_agrees_with_enumeration),
        cmocka_unit_test(z3_alone_agrees_with_enumeration),
        cmocka_unit_test(cadical_alone_agrees_with_enumeration),
        cmocka_unit_test(guesses_alone_are_right),
        cmocka_unit_test(caches_alone_are_right),
        cmocka_unit_test(nothing_but_folding_is_unknown),
        cmocka_unit_test(engines_agree_on_wider_numbers),
        cmocka_unit_test(values_of_128_bits_come_back),
        cmocka_unit_test(folding_needs_no_solver),
        cmocka_unit_test(the_hint_is_kept_where_it_can_be),
        cmocka_unit_test(equal_parts_are_asked_once),
        cmocka_unit_test(cores_answer_supersets),
        cmocka_unit_test(earlier_models_are_tried),
        cmocka_unit_test(guesses_undo_operations),
        cmocka_unit_test(hard_queries_end_at_the_limit),
        cmocka_unit_test(wrong_models_are_unknown),
        cmocka_unit_test(ten_thousand_queries),
        cmocka_unit_test(z3_starts_anew_when_it_holds_too_much),
        cmocka_unit_test(deep_queries_end_soon),
        cmocka_unit_test(smtlib_is_understood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
