/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of path/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "path/path.h"
#include "flow/evaluate.h"

/* --- Hand-made runs --- */

static uint32_t add_text(trc *t, const char *text)
{
    uint32_t at = (uint32_t)t->texts.len;
    td_text_put(&t->texts, text, strlen(text) + 1);
    return at;
}

static void start(trc *t)
{
    trc_clear(t);
    assert_int_equal(t->nodes.len, 1);
}

static uint32_t add_node(trc *t, trc_node n)
{
    trc_node_vec_push(&t->nodes, n);
    return (uint32_t)t->nodes.len - 1;
}

/* The node of a new input. */
static uint32_t add_input(trc *t, const char *name, uint8_t bits, uint64_t key,
                          uint64_t value)
{
    uint32_t text = add_text(t, name);
    trc_input_vec_push(
        &t->inputs, (trc_input){.key = key, .value = value, .text = text, .bits = bits});
    return add_node(t, (trc_node){.op = WIRE_SYM_INPUT,
                                  .bits = bits,
                                  .immediate = {t->inputs.len - 1}});
}

static uint32_t with_number(trc *t, uint8_t op, uint8_t bits, uint32_t a, uint64_t k)
{
    return add_node(
        t,
        (trc_node){.op = op, .bits = bits, .a = a, .immediate = {k, k >> 63 ? -1 : 0}});
}

static uint32_t with_node(trc *t, uint8_t op, uint8_t bits, uint32_t a, uint32_t b)
{
    return add_node(t, (trc_node){.op = op, .bits = bits, .a = a, .b = b});
}

static void decide(trc *t, uint8_t how, uint32_t node, uint64_t value, uint64_t side)
{
    trc_op_vec_push(&t->ops, (trc_op){.kind = WIRE_DECIDE,
                                      .size = how,
                                      .object = node,
                                      .value = value,
                                      .old = side,
                                      .site = 7});
}

static void branch(trc *t, uint32_t node, bool side)
{
    decide(t, WIRE_DECIDE_BRANCH, node, side, side);
}

static void add_switch(trc *t, const uint64_t *cases, uint32_t n)
{
    trc_switch_vec_push(&t->switches, (trc_switch){7, (uint32_t)t->cases.len, n});
    trc_u64_vec_append(&t->cases, cases, n);
}

/* --- Random runs --- */

typedef struct maker {
    td_rng rng;
    trc *t;
    td_u128 values[512]; /* by node */
} maker;

static uint64_t any_number(maker *m)
{
    uint64_t any = td_rng_next(&m->rng);
    switch (td_rng_below(&m->rng, 4)) {
    case 0:
        return any & 7;
    case 1:
        return 0 - (any & 7);
    case 2:
        return UINT64_C(1) << (any & 63);
    default:
        return any;
    }
}

/* A node of this width, or any if it is 0; 0 if there is none. */
static uint32_t some_node(maker *m, unsigned width)
{
    uint32_t n = (uint32_t)m->t->nodes.len;
    uint32_t from = (uint32_t)td_rng_below(&m->rng, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = (from + i) % n;
        if (at && (!width || m->t->nodes.at[at].bits == width))
            return at;
    }
    return 0;
}

/* Whichever operand is the immediate, or none. */
static void random_pair(maker *m, trc_node *n, uint32_t a)
{
    uint32_t b = some_node(m, m->t->nodes.at[a].bits);
    uint64_t way = td_rng_below(&m->rng, 3);
    n->a = way == 0 ? 0 : a;
    n->b = way == 1 ? 0 : b;
}

static bool random_concat(maker *m, trc_node *n, uint32_t a)
{
    unsigned wa = m->t->nodes.at[a].bits;
    uint64_t way = td_rng_below(&m->rng, 3);
    if (wa == 128)
        return false;
    if (way == 2) {
        n->a = a;
        n->b = some_node(m, 0);
        n->bits = (uint8_t)(wa + m->t->nodes.at[n->b].bits);
        return wa + m->t->nodes.at[n->b].bits <= 128;
    }
    *(way ? &n->a : &n->b) = a;
    n->bits = (uint8_t)(wa + 1 + td_rng_below(&m->rng, 128 - wa));
    return true;
}

static bool random_choice(maker *m, trc_node *n, uint32_t b)
{
    n->a = some_node(m, 1);
    n->bits = m->t->nodes.at[b].bits;
    n->b = td_rng_below(&m->rng, 3) ? b : 0;
    n->c = td_rng_below(&m->rng, 3) ? some_node(m, n->bits) : 0;
    return n->a && n->bits <= 64;
}

/* False if it does not work out this time. */
static bool random_node(maker *m, trc_node *n)
{
    uint32_t a = some_node(m, 0);
    unsigned wa = m->t->nodes.at[a].bits;
    *n = (trc_node){.op = (uint8_t)td_rng_below(&m->rng, WIRE_SYM_N_OPS),
                    .bits = (uint8_t)wa,
                    .immediate = {any_number(m), any_number(m)}};
    if (n->op == WIRE_SYM_INPUT || n->op == WIRE_SYM_READ)
        return false;
    if (n->op == WIRE_SYM_CONST)
        return true;
    if (n->op == WIRE_SYM_CONCAT)
        return random_concat(m, n, a);
    if (n->op == WIRE_SYM_ITE)
        return random_choice(m, n, a);
    if (n->op >= WIRE_SYM_ADD && n->op <= WIRE_SYM_SLE) {
        random_pair(m, n, a);
        n->bits = n->op >= WIRE_SYM_EQ ? 1 : n->bits;
        return true;
    }
    n->a = a;
    if (n->op == WIRE_SYM_ZEXT || n->op == WIRE_SYM_SEXT) {
        n->bits = (uint8_t)(wa + td_rng_below(&m->rng, 128 - wa + 1));
        return n->bits > wa;
    }
    if (n->op == WIRE_SYM_EXTRACT) {
        n->offset = (uint8_t)td_rng_below(&m->rng, wa);
        n->bits = (uint8_t)(1 + td_rng_below(&m->rng, wa - n->offset));
    }
    return n->op != WIRE_SYM_BSWAP || wa % 8 == 0;
}

static void random_inputs(maker *m)
{
    static const uint8_t widths[] = {1, 8, 16, 32, 64, 7, 33};
    start(m->t);
    for (uint64_t i = 0; i < sizeof widths; i++) {
        uint64_t value = any_number(m);
        if (widths[i] < 64)
            value &= (UINT64_C(1) << widths[i]) - 1;
        uint32_t at = add_input(m->t, "x", widths[i], 100 + i, value);
        m->values[at] = value;
    }
}

static void random_nodes(maker *m, size_t n_nodes)
{
    while (m->t->nodes.len < n_nodes) {
        trc_node n;
        if (!random_node(m, &n))
            continue;
        uint32_t at = add_node(m->t, n);
        m->values[at] = sym_evaluate(m->t, m->values, &n);
    }
}

static bool holds(pth *p, exp_ref e, const exp_value_vec *v)
{
    assert_int_equal(exp_width(pth_dag(p), e), 1);
    return exp_eval(pth_dag(p), e, (exp_values){v->at, v->len}) != 0;
}

static bool never(pth *p, exp_ref a, exp_ref b, const exp_value_vec *v)
{
    return !(holds(p, a, v) && holds(p, b, v));
}

/* The value of a node of at most 64 bits is decided by. */
static void check_node(pth *p, maker *m, uint32_t node, const exp_value_vec *v)
{
    uint64_t value = (uint64_t)m->values[node];
    decide(m->t, WIRE_DECIDE_VALUE, node, value, value);
    const trc_op *op = &m->t->ops.at[m->t->ops.len - 1];
    uint32_t q = pth_question(p, m->t, op);
    assert_int_equal(pth_question(p, m->t, op), q);
    assert_int_equal(pth_how(p, q), WIRE_DECIDE_VALUE);
    assert_int_equal(pth_n_sides(p, q), 0);
    exp_ref is = pth_condition(p, q, value), other = pth_condition(p, q, value ^ 1);
    if (!holds(p, is, v))
        fail_msg("node %u, %s", node, trc_sym_op_text(m->t->nodes.at[node].op));
    assert_false(holds(p, other, v));
    assert_false(holds(p, pth_none_of(p, q, &value, 1), v));
    assert_true(holds(p, pth_none_of(p, q, &(uint64_t){value ^ 1}, 1), v));
    assert_false(holds(p, pth_smaller(p, q, value), v));
    if (value < UINT64_MAX && exp_width(pth_dag(p), pth_node(p, m->t, node)) > 63)
        assert_true(holds(p, pth_smaller(p, q, value + 1), v));
}

static void nodes_keep_their_meaning(void **state)
{
    (void)state;
    trc t;
    trc_init(&t);
    pth *p = pth_new();
    maker *m = calloc(1, sizeof *m);
    exp_value_vec v = {0};
    m->t = &t;
    m->rng.state = 4711;
    for (int run = 0; run < 300; run++) {
        random_inputs(m);
        random_nodes(m, 100);
        pth_take(p, &t);
        pth_values(p, &t, &v);
        assert_int_equal(pth_n_inputs(p), 7);
        for (uint32_t i = (uint32_t)t.nodes.len; --i > 0;)
            if (t.nodes.at[i].bits <= 64)
                check_node(p, m, i, &v);
    }
    assert_true(exp_valid(pth_dag(p), NULL, 0));
    exp_value_vec_fini(&v);
    free(m);
    pth_free(p);
    trc_fini(&t);
}

/* --- Sides --- */

static void sides_exclude_each_other(void **state)
{
    (void)state;
    static const uint64_t cases[] = {3, 5, 200, 5, 0x1ff};
    trc t;
    trc_init(&t);
    start(&t);
    uint32_t x = add_input(&t, "x", 8, 1, 5);
    uint32_t lt = with_number(&t, WIRE_SYM_ULT, 1, x, 9);
    add_switch(&t, cases, 5);
    branch(&t, lt, true);
    decide(&t, WIRE_DECIDE_SWITCH, x, 5, 2);
    pth *p = pth_new();
    pth_take(p, &t);
    uint32_t b = pth_question(p, &t, &t.ops.at[0]), s = pth_question(p, &t, &t.ops.at[1]);
    assert_int_not_equal(b, s);
    assert_int_equal(pth_n_sides(p, b), 2);
    assert_int_equal(pth_n_sides(p, s), 6);
    exp_value_vec v = {0};
    for (unsigned value = 0; value < 256; value++) {
        t.inputs.at[0].value = value;
        pth_values(p, &t, &v);
        assert_true(holds(p, pth_condition(p, b, 0), &v) == (value >= 9));
        assert_true(holds(p, pth_condition(p, b, 1), &v) == (value < 9));
        unsigned wanted = value == 3 ? 1 : value == 5 ? 2 : value == 200 ? 3 : 0;
        uint64_t listed[6];
        for (unsigned side = 0; side < 6; side++) {
            assert_true(holds(p, pth_condition(p, s, side), &v) == (side == wanted));
            for (unsigned other = 0; other < side; other++)
                assert_true(
                    never(p, pth_condition(p, s, side), pth_condition(p, s, other), &v));
            /* of the last ones, then all */
            listed[side] = 5 - side;
            bool is_listed = wanted >= 5 - side;
            assert_true(holds(p, pth_none_of(p, s, listed, side + 1), &v) == !is_listed);
            assert_true(holds(p, pth_smaller(p, s, side), &v) == (wanted < side));
        }
        assert_true(holds(p, pth_none_of(p, s, NULL, 0), &v));
    }
    td_u128 k;
    assert_true(exp_is_const(pth_dag(p), pth_condition(p, s, 6), &k) && k == 0);
    assert_true(exp_is_const(pth_dag(p), pth_condition(p, s, 4), &k) && k == 0);
    assert_true(exp_is_const(pth_dag(p), pth_none_of(p, b, (uint64_t[]){0, 1}, 2), &k) &&
                k == 0);
    exp_value_vec_fini(&v);
    pth_free(p);
    trc_fini(&t);
}

/* --- Inputs and jobs --- */

static void inputs_keep_their_numbers(void **state)
{
    (void)state;
    trc t;
    trc_init(&t);
    pth *p = pth_new();
    exp_value_vec v = {0};
    start(&t);
    branch(&t, with_number(&t, WIRE_SYM_EQ, 1, add_input(&t, "a", 32, 10, 1), 5), false);
    add_input(&t, "b", 32, 11, 2);
    pth_take(p, &t);
    pth_values(p, &t, &v);
    uint32_t q = pth_question(p, &t, &t.ops.at[0]);

    /* Another order, another width, something new. */
    start(&t);
    add_input(&t, "b", 32, 11, 7);
    add_input(&t, "c", 8, 10, 8);
    uint32_t a = add_input(&t, "other", 32, 10, 9);
    branch(&t, with_number(&t, WIRE_SYM_EQ, 1, a, 5), false);
    pth_take(p, &t);
    assert_int_equal(pth_n_inputs(p), 3);
    pth_values(p, &t, &v);
    assert_int_equal(v.len, 3);
    assert_int_equal((uint64_t)v.at[0], 9);
    assert_int_equal((uint64_t)v.at[1], 7);
    assert_int_equal((uint64_t)v.at[2], 8);
    assert_string_equal(pth_input_at(p, 0).name, "a");
    assert_int_equal(pth_input_at(p, 2).bits, 8);
    assert_int_equal(pth_question(p, &t, &t.ops.at[0]), q);

    /* What a run does not have stays. */
    start(&t);
    add_input(&t, "c", 8, 10, 1);
    pth_take(p, &t);
    pth_values(p, &t, &v);
    assert_int_equal((uint64_t)v.at[0], 9);
    assert_int_equal((uint64_t)v.at[2], 1);
    exp_value_vec_fini(&v);
    pth_free(p);
    trc_fini(&t);
}

static void jobs_name_what_matters(void **state)
{
    (void)state;
    trc t;
    trc_init(&t);
    start(&t);
    uint32_t in[4];
    for (uint32_t i = 0; i < 4; i++)
        in[i] = add_input(&t, "x", 16, 50 + i, i);
    branch(&t, with_node(&t, WIRE_SYM_ULT, 1, in[3], in[1]), false);
    branch(&t, with_number(&t, WIRE_SYM_ULT, 1, in[1], 40), true);
    pth *p = pth_new();
    pth_take(p, &t);
    exp_ref conditions[2];
    for (int i = 0; i < 2; i++)
        conditions[i] = pth_condition(p, pth_question(p, &t, &t.ops.at[i]), 1);
    td_u128 values[] = {1, 2, 3, 0x70004};
    trc_chosen_vec out = {0};
    for (int again = 0; again < 2; again++) {
        pth_job(p, conditions, 2, (exp_values){values, 4}, &out);
        assert_int_equal(out.len, 2);
        assert_int_equal(out.at[0].key, 51);
        assert_int_equal(out.at[0].value, 2);
        assert_int_equal(out.at[1].key, 53);
        assert_int_equal(out.at[1].value, 4);
    }
    pth_job(p, conditions + 1, 1, (exp_values){values, 1}, &out);
    assert_int_equal(out.len, 1);
    assert_int_equal(out.at[0].value, 0);
    pth_job(p, NULL, 0, (exp_values){0}, &out);
    assert_int_equal(out.len, 0);
    trc_chosen_vec_fini(&out);
    pth_free(p);
    trc_fini(&t);
}

/* --- For people --- */

static void expect_text(const trc *t, const char *text)
{
    pth *p = pth_new();
    td_text out = {0};
    pth_take(p, t);
    pth_explain(p, t, (uint32_t)t->ops.len, &out);
    assert_string_equal(out.at ? out.at : "", text);
    td_text_fini(&out);
    pth_free(p);
}

static void conditions_read_well(void **state)
{
    (void)state;
    trc t;
    trc_init(&t);
    start(&t);
    expect_text(&t, "");
    uint32_t amount = add_input(&t, "amount", 32, 1, 40);
    uint32_t fee = add_input(&t, "fee", 32, 2, 2);
    expect_text(&t, "");
    branch(&t, with_number(&t, WIRE_SYM_SLE, 1, amount, 30), false);
    branch(&t, with_number(&t, WIRE_SYM_EQ, 1, fee, 2), true);
    expect_text(&t, "amount > 30 && fee == 2");
    /* It follows from the rest, or says more of it. */
    branch(&t, with_number(&t, WIRE_SYM_SLT, 1, amount, 10), false);
    branch(&t, with_number(&t, WIRE_SYM_NE, 1, amount, 7), true);
    branch(&t, with_number(&t, WIRE_SYM_ULT, 1, fee, 100), true);
    expect_text(&t, "amount > 30 && fee == 2");
    branch(&t, with_number(&t, WIRE_SYM_SLT, 1, amount, 100), true);
    branch(&t, with_number(&t, WIRE_SYM_EQ, 1, amount, 50), false);
    expect_text(&t, "amount > 30 && amount < 100 && amount != 50 && fee == 2");
    uint32_t sum = with_node(&t, WIRE_SYM_ADD, 32, amount, fee);
    branch(&t, with_number(&t, WIRE_SYM_EQ, 1, sum, 42), true);
    expect_text(
        &t,
        "amount > 30 && amount < 100 && amount != 50 && fee == 2 && amount + fee == 42");
    trc_fini(&t);
}

/* A sum that cannot overflow may change sides; one that can may not. */
static void sums_read_well(void **state)
{
    (void)state;
    trc t;
    trc_init(&t);
    start(&t);
    uint32_t a = add_input(&t, "a", 32, 1, 60), b = add_input(&t, "b", 32, 2, 50);
    uint32_t sum = with_node(&t, WIRE_SYM_ADD, 32, a, b);
    uint32_t hundred = with_number(&t, WIRE_SYM_SUB, 32, a, 100);
    uint32_t most = with_node(&t, WIRE_SYM_ADD, 32, hundred, b);
    branch(&t, with_number(&t, WIRE_SYM_SLT, 1, most, 0), false);
    expect_text(&t, "a + b - 100 >= 0");
    branch(&t, with_number(&t, WIRE_SYM_SLT, 1, a, 1000), true);
    branch(&t, with_number(&t, WIRE_SYM_SLT, 1, b, 1000), true);
    branch(&t, with_number(&t, WIRE_SYM_SLT, 1, a, 0), false);
    branch(&t, with_number(&t, WIRE_SYM_SLT, 1, b, 0), false);
    branch(&t, with_node(&t, WIRE_SYM_SLT, 1, a, b), false);
    branch(&t, with_number(&t, WIRE_SYM_SLT, 1, sum, 200), true);
    expect_text(&t, "a + b >= 100 && a >= 0 && a < 1000 && b >= 0 && b < 1000 && a >= b "
                    "&& a + b < 200");
    trc_fini(&t);
}

/* What the program says of an input counts more than how it is used. */
static void signs_are_known(void **state)
{
    (void)state;
    trc t;
    trc_init(&t);
    start(&t);
    uint32_t n = add_input(&t, "n", 32, 1, 0xfffffff0);
    branch(&t, with_number(&t, WIRE_SYM_EQ, 1, n, 0xfffffff0), true);
    expect_text(&t, "n == -16");
    t.inputs.at[0].sign = WIRE_UNSIGNED;
    expect_text(&t, "n == 4294967280");
    t.inputs.at[0].sign = WIRE_SIGNED;
    expect_text(&t, "n == -16");
    trc_fini(&t);
}

static void letters_are_letters(void **state)
{
    (void)state;
    trc t;
    trc_init(&t);
    start(&t);
    uint32_t text = add_input(&t, "line[0]", 8, 1, 'G');
    uint32_t number = add_input(&t, "n", 8, 2, 'G');
    branch(&t, with_number(&t, WIRE_SYM_EQ, 1, text, 'G'), true);
    branch(&t, with_number(&t, WIRE_SYM_EQ, 1, number, 'G'), true);
    expect_text(&t, "line[0] == 'G' && n == 71");
    trc_fini(&t);
}

static void decisions_one_by_one(void **state)
{
    (void)state;
    trc t;
    trc_init(&t);
    start(&t);
    uint32_t n = add_input(&t, "n", 32, 1, 5);
    branch(&t, with_number(&t, WIRE_SYM_SLT, 1, n, 10), true);
    branch(&t, with_number(&t, WIRE_SYM_EQ, 1, n, 5), true);
    trc_op_vec_push(&t.ops, (trc_op){.kind = WIRE_EXIT});
    static const char *const wanted[] = {"n < 10", "n == 5", "", ""};
    pth *p = pth_new();
    pth_take(p, &t);
    for (uint32_t i = 0; i < 4; i++) {
        td_text out = {0};
        pth_explain_one(p, &t, i, &out);
        assert_string_equal(out.at ? out.at : "", wanted[i]);
        td_text_fini(&out);
    }
    pth_free(p);
    trc_fini(&t);
}

static void loops_end_in_one_number(void **state)
{
    (void)state;
    trc t;
    trc_init(&t);
    start(&t);
    uint32_t n = add_input(&t, "n", 32, 1, 5);
    for (uint64_t i = 0; i <= 5; i++)
        branch(
            &t,
            add_node(&t,
                     (trc_node){.op = WIRE_SYM_SLT, .bits = 1, .b = n, .immediate = {i}}),
            i < 5);
    expect_text(&t, "n == 5");
    uint32_t again = add_input(&t, "n", 8, 2, 200);
    branch(&t, with_number(&t, WIRE_SYM_ULT, 1, again, 100), false);
    expect_text(&t, "n == 5 && n#2 > 99");
    branch(&t, with_number(&t, WIRE_SYM_EQ, 1, again, 100), false);
    branch(&t, with_number(&t, WIRE_SYM_EQ, 1, again, 101), false);
    expect_text(&t, "n == 5 && n#2 > 101");
    trc_fini(&t);
}

static bool compares(int a, const char *op, int b)
{
    bool or_equal = op[1] == '=';
    switch (op[0]) {
    case '<':
        return or_equal ? a <= b : a < b;
    case '>':
        return or_equal ? a >= b : a > b;
    case '!':
        return a != b;
    default:
        return a == b;
    }
}

/* Reads "x > 3 && (unsigned)x <= 9" for an x of 4 bits. */
static bool text_holds(const char *text, unsigned x, bool is_signed)
{
    bool all = true;
    while (*text) {
        bool cast = strncmp(text, "(unsigned)", 10) == 0;
        int as_int = is_signed && !cast && x > 7 ? (int)x - 16 : (int)x;
        char op[3];
        int k, used = 0;
        assert_int_equal(sscanf(text + 10 * cast, "x %2s %d%n", op, &k, &used), 2);
        bool is_equality = op[0] == '=' || op[0] == '!';
        all &= is_equality ? compares((int)x, op, k & 15) : compares(as_int, op, k);
        text += 10 * cast + used;
        if (*text) {
            assert_memory_equal(text, " && ", 4);
            text += 4;
        }
    }
    return all;
}

static bool run_holds(pth *p, const trc *t, unsigned x)
{
    exp_value_vec v = {0};
    exp_value_vec_push(&v, x);
    bool all = true;
    for (size_t i = 0; i < t->ops.len; i++) {
        uint32_t q = pth_question(p, t, &t->ops.at[i]);
        all = all && holds(p, pth_condition(p, q, t->ops.at[i].old), &v);
    }
    exp_value_vec_fini(&v);
    return all;
}

static void expect_same(pth *p, const trc *t)
{
    td_text out = {0};
    pth_explain(p, t, (uint32_t)t->ops.len, &out);
    const char *text = out.at ? out.at : "";
    int n_wrong[2] = {0};
    for (unsigned x = 0; x < 16; x++)
        for (int is_signed = 0; is_signed < 2; is_signed++)
            n_wrong[is_signed] += text_holds(text, x, is_signed) != run_holds(p, t, x);
    if (n_wrong[0] && n_wrong[1])
        fail_msg("%s", text);
    td_text_fini(&out);
}

/* The text means what the decisions do, for every value. */
static void bounds_say_no_more_and_no_less(void **state)
{
    (void)state;
    static const uint8_t ops[] = {WIRE_SYM_ULT, WIRE_SYM_SLT, WIRE_SYM_EQ,
                                  WIRE_SYM_ULE, WIRE_SYM_SLE, WIRE_SYM_NE};
    td_rng rng = {99};
    trc t;
    trc_init(&t);
    for (int run = 0; run < 2000; run++) {
        start(&t);
        uint64_t value = td_rng_below(&rng, 16);
        uint32_t x = add_input(&t, "x", 4, 1, value);
        td_u128 values[512] = {[1] = value};
        for (uint64_t i = 0; i < 1 + (uint64_t)run % 5; i++) {
            trc_node n = {.op = ops[td_rng_below(&rng, 6)], .bits = 1};
            *(td_rng_below(&rng, 2) ? &n.a : &n.b) = x;
            n.immediate[0] = td_rng_below(&rng, 16);
            branch(&t, add_node(&t, n), sym_evaluate(&t, values, &n) != 0);
        }
        pth *p = pth_new();
        pth_take(p, &t);
        expect_same(p, &t);
        pth_free(p);
    }
    trc_fini(&t);
}

static void names_of_inputs_differ(void **state)
{
    (void)state;
    trc t;
    trc_init(&t);
    start(&t);
    static const char *const names[] = {"x", "y", "x", "", "x", ""};
    static const char *const wanted[] = {"x", "y", "x#2", "input", "x#3", "input#2"};
    for (uint64_t i = 0; i < 6; i++)
        add_input(&t, names[i], 8, i, 0);
    td_text texts = {0};
    trc_u32_vec at = {0};
    trc_input_names(&t, &texts, &at);
    assert_int_equal(at.len, 6);
    for (int i = 0; i < 6; i++)
        assert_string_equal(texts.at + at.at[i], wanted[i]);
    trc_u32_vec_fini(&at);
    td_text_fini(&texts);
    trc_fini(&t);
}

/* 10^6 nodes one above the other. */
static void deep_runs_are_fine(void **state)
{
    (void)state;
    trc t;
    trc_init(&t);
    start(&t);
    uint32_t x = add_input(&t, "x", 32, 1, 1), y = add_input(&t, "y", 32, 2, 1);
    for (uint32_t i = 0; i < 1000000; i++)
        x = with_node(&t, i % 2 ? WIRE_SYM_MUL : WIRE_SYM_XOR, 32, x, y);
    branch(&t, with_number(&t, WIRE_SYM_ULT, 1, x, 77), true);
    pth *p = pth_new();
    for (int i = 0; i < 2; i++) {
        pth_take(p, &t);
        assert_int_equal(pth_question(p, &t, &t.ops.at[0]), 0);
    }
    td_text out = {0};
    pth_explain(p, &t, 1, &out);
    assert_true(out.len > 0 && out.len < 3000);
    td_text_fini(&out);
    pth_free(p);
    trc_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_keep_their_meaning),
        cmocka_unit_test(sides_exclude_each_other),
        cmocka_unit_test(inputs_keep_their_numbers),
        cmocka_unit_test(jobs_name_what_matters),
        cmocka_unit_test(conditions_read_well),
        cmocka_unit_test(sums_read_well),
        cmocka_unit_test(signs_are_known),
        cmocka_unit_test(letters_are_letters),
        cmocka_unit_test(decisions_one_by_one),
        cmocka_unit_test(loops_end_in_one_number),
        cmocka_unit_test(bounds_say_no_more_and_no_less),
        cmocka_unit_test(names_of_inputs_differ),
        cmocka_unit_test(deep_runs_are_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
