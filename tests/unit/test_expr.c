/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of expr/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "expr/expr.h"

__extension__ typedef __int128 i128;

/* --- A second opinion: each operation written another way than in expr/. --- */

static i128 as_signed(td_u128 v, unsigned w)
{
    return (i128)(v << (128 - w)) >> (128 - w);
}

static td_u128 cut(td_u128 v, unsigned w)
{
    return w == 128 ? v : v & (((td_u128)1 << w) - 1);
}

static td_u128 ref_divide(exp_op op, td_u128 a, td_u128 b, unsigned w)
{
    i128 x = as_signed(a, w), y = as_signed(b, w);
    bool wraps = y == -1; /* MIN / -1 does not fit i128 */
    switch (op) {
    case EXP_UDIV:
        return b ? a / b : ~(td_u128)0;
    case EXP_UREM:
        return b ? a % b : a;
    case EXP_SDIV:
        if (b == 0)
            return x < 0 ? 1 : ~(td_u128)0;
        return wraps ? -a : (td_u128)(x / y);
    default:
        if (b == 0)
            return a;
        return wraps ? 0 : (td_u128)(x % y);
    }
}

static td_u128 ref_shift(exp_op op, td_u128 a, td_u128 b, unsigned w)
{
    td_u128 r = a;
    for (td_u128 i = 0; i < b && i < w; i++) {
        if (op == EXP_SHL)
            r = cut(r << 1, w);
        else if (op == EXP_LSHR)
            r >>= 1;
        else
            r = cut((td_u128)(as_signed(r, w) >> 1), w);
    }
    return r;
}

static td_u128 ref_binary(exp_op op, td_u128 a, td_u128 b, unsigned w)
{
    switch (op) {
    case EXP_ADD:
        return cut(a + b, w);
    case EXP_SUB:
        return cut(a + ~b + 1, w);
    case EXP_MUL:
        return cut(a * b, w);
    case EXP_UDIV:
    case EXP_SDIV:
    case EXP_UREM:
    case EXP_SREM:
        return cut(ref_divide(op, a, b, w), w);
    case EXP_AND:
        return a & b;
    case EXP_OR:
        return a | b;
    case EXP_XOR:
        return a ^ b;
    case EXP_SHL:
    case EXP_LSHR:
    case EXP_ASHR:
        return ref_shift(op, a, b, w);
    case EXP_EQ:
        return a == b;
    case EXP_NE:
        return a != b;
    case EXP_ULT:
        return a < b;
    case EXP_ULE:
        return a <= b;
    case EXP_SLT:
        return as_signed(a, w) < as_signed(b, w);
    default:
        assert_int_equal(op, EXP_SLE);
        return as_signed(a, w) <= as_signed(b, w);
    }
}

static bool bit(td_u128 v, unsigned i)
{
    return v >> i & 1;
}

static unsigned ref_count(td_u128 a, unsigned w)
{
    unsigned n = 0;
    for (unsigned i = 0; i < w; i++)
        n += bit(a, i);
    return n;
}

static unsigned ref_run(td_u128 a, unsigned w, bool from_top)
{
    unsigned n = 0;
    while (n < w && !bit(a, from_top ? w - 1 - n : n))
        n++;
    return n;
}

static td_u128 ref_reverse(td_u128 a, unsigned w, unsigned size)
{
    td_u128 r = 0;
    for (unsigned i = 0; i < w; i++)
        if (bit(a, i))
            r |= (td_u128)1 << (w - size - i / size * size + i % size);
    return r;
}

static td_u128 ref_funnel(td_u128 high, td_u128 low, unsigned by, unsigned w, bool left)
{
    td_u128 r = 0;
    for (unsigned i = 0; i < w; i++) {
        unsigned from = left ? i + w - by : i + by; /* a bit of high:low */
        if (from < w ? bit(low, from) : bit(high, from - w))
            r |= (td_u128)1 << i;
    }
    return r;
}

static bool ref_overflow(exp_op op, bool is_signed, td_u128 a, td_u128 b, unsigned w)
{
    i128 x = as_signed(a, w), y = as_signed(b, w), s;
    td_u128 u;
    bool lost;
    if (is_signed) {
        lost = op == EXP_ADD   ? __builtin_add_overflow(x, y, &s)
               : op == EXP_SUB ? __builtin_sub_overflow(x, y, &s)
                               : __builtin_mul_overflow(x, y, &s);
        return lost || as_signed(cut((td_u128)s, w), w) != s;
    }
    lost = op == EXP_ADD   ? __builtin_add_overflow(a, b, &u)
           : op == EXP_SUB ? __builtin_sub_overflow(a, b, &u)
                           : __builtin_mul_overflow(a, b, &u);
    return lost || cut(u, w) != u;
}

/* --- Random expressions, with the value each must have for each assignment. --- */

enum { MAX_ITEMS = 260, MAX_RUNS = 64, MAX_INPUTS = 4 };

typedef struct item {
    exp_ref e;
    unsigned width;
    td_u128 want[MAX_RUNS];
} item;

typedef struct world {
    td_rng rng;
    exp_dag *d;
    unsigned widths[3]; /* favoured */
    unsigned n_inputs, n_runs, max_width;
    td_u128 inputs[MAX_RUNS][MAX_INPUTS];
    item items[MAX_ITEMS];
    size_t n;
} world;

static unsigned below(world *w, unsigned n)
{
    return (unsigned)td_rng_below(&w->rng, n);
}

/* Numbers near the ends, near powers of two, small ones, and any. */
static td_u128 some_number(world *w, unsigned width)
{
    td_u128 any = (td_u128)td_rng_next(&w->rng) << 64 | td_rng_next(&w->rng);
    td_u128 power = (td_u128)1 << below(w, width);
    switch (below(w, 7)) {
    case 0:
        return cut(any, width);
    case 1:
        return cut(~(td_u128)0 - below(w, 3), width);
    case 2:
        return cut(power + below(w, 3) - 1, width);
    case 3: /* a run of bits */
        return cut((power - 1) << below(w, width), width);
    case 4:
        return cut(((td_u128)1 << (width - 1)) + below(w, 3) - 1, width);
    default:
        return cut(below(w, 9), width);
    }
}

static item *new_item(world *w, exp_ref e)
{
    item *it = &w->items[w->n++];
    it->e = e;
    it->width = exp_width(w->d, e);
    return it;
}

static void add_const(world *w, unsigned width)
{
    td_u128 v = some_number(w, width);
    item *it = new_item(w, exp_const(w->d, width, v));
    for (unsigned r = 0; r < w->n_runs; r++)
        it->want[r] = v;
}

static unsigned some_width(world *w)
{
    return below(w, 8) ? w->widths[below(w, 3)] : 1 + below(w, w->max_width);
}

static item *some_item(world *w)
{
    return &w->items[below(w, 2) && w->n > 12 ? w->n - 1 - below(w, 12)
                                              : below(w, (unsigned)w->n)];
}

static void add_cut_or_extension(world *w, item *a, unsigned width)
{
    bool is_signed = below(w, 2);
    if (width < a->width) {
        unsigned low = below(w, 2) ? 0 : below(w, a->width - width + 1);
        item *it = new_item(w, exp_extract(w->d, a->e, low, width));
        for (unsigned r = 0; r < w->n_runs; r++)
            it->want[r] = cut(a->want[r] >> low, width);
        return;
    }
    item *it = new_item(w, is_signed ? exp_sext(w->d, a->e, width)
                                     : exp_zext(w->d, a->e, width));
    for (unsigned r = 0; r < w->n_runs; r++)
        it->want[r] =
            is_signed ? cut((td_u128)as_signed(a->want[r], a->width), width) : a->want[r];
}

/* One of this width; made, if none is found soon. */
static item *item_of_width(world *w, unsigned width)
{
    for (int i = 0; i < 6; i++) {
        item *it = some_item(w);
        if (it->width == width)
            return it;
    }
    if (below(w, 3) == 0)
        add_const(w, width);
    else
        add_cut_or_extension(w, some_item(w), width);
    return &w->items[w->n - 1];
}

static void add_binary(world *w, item *a)
{
    static const exp_op ops[] = {EXP_ADD,  EXP_SUB,  EXP_MUL,  EXP_UDIV, EXP_SDIV,
                                 EXP_UREM, EXP_SREM, EXP_AND,  EXP_OR,   EXP_XOR,
                                 EXP_SHL,  EXP_LSHR, EXP_ASHR, EXP_EQ,   EXP_NE,
                                 EXP_ULT,  EXP_ULE,  EXP_SLT,  EXP_SLE};
    exp_op op = ops[below(w, sizeof ops / sizeof *ops)];
    item *b = item_of_width(w, a->width);
    if ((op == EXP_SHL || op == EXP_LSHR || op == EXP_ASHR) && below(w, 2)) {
        add_const(w, a->width);
        b = &w->items[w->n - 1];
    }
    item *it = new_item(w, exp_binary(w->d, op, a->e, b->e));
    for (unsigned r = 0; r < w->n_runs; r++)
        it->want[r] = ref_binary(op, a->want[r], b->want[r], a->width);
}

static void add_unary(world *w, item *a)
{
    unsigned kind = below(w, 8), wd = a->width;
    if (kind == 2 && wd % 8)
        kind = 0;
    exp_ref e = kind == 2   ? exp_bswap(w->d, a->e)
                : kind == 3 ? exp_bitreverse(w->d, a->e)
                : kind == 4 ? exp_ctpop(w->d, a->e)
                : kind == 5 ? exp_ctlz(w->d, a->e)
                : kind == 6 ? exp_cttz(w->d, a->e)
                            : exp_unary(w->d, kind == 1 ? EXP_NEG : EXP_NOT, a->e);
    item *it = new_item(w, e);
    for (unsigned r = 0; r < w->n_runs; r++) {
        td_u128 v = a->want[r];
        it->want[r] = cut(kind == 1   ? ~v + 1
                          : kind == 2 ? ref_reverse(v, wd, 8)
                          : kind == 3 ? ref_reverse(v, wd, 1)
                          : kind == 4 ? ref_count(v, wd)
                          : kind == 5 ? ref_run(v, wd, true)
                          : kind == 6 ? ref_run(v, wd, false)
                                      : ~v,
                          wd);
    }
}

static void add_choice(world *w, item *a)
{
    item *c = item_of_width(w, 1), *b = item_of_width(w, a->width);
    item *it = new_item(w, exp_ite(w->d, c->e, a->e, b->e));
    for (unsigned r = 0; r < w->n_runs; r++)
        it->want[r] = c->want[r] ? a->want[r] : b->want[r];
}

static void add_concat(world *w, item *a)
{
    item *b = some_item(w);
    if (a->width + b->width > w->max_width)
        return;
    item *it = new_item(w, exp_binary(w->d, EXP_CONCAT, a->e, b->e));
    for (unsigned r = 0; r < w->n_runs; r++)
        it->want[r] = a->want[r] << b->width | b->want[r];
}

static void add_funnel(world *w, item *a)
{
    item *b = item_of_width(w, a->width), *by = item_of_width(w, a->width);
    bool left = below(w, 2);
    item *it = new_item(w, left ? exp_fshl(w->d, a->e, b->e, by->e)
                                : exp_fshr(w->d, a->e, b->e, by->e));
    for (unsigned r = 0; r < w->n_runs; r++)
        it->want[r] = ref_funnel(a->want[r], b->want[r],
                                 (unsigned)(by->want[r] % a->width), a->width, left);
}

static void add_overflow(world *w, item *a)
{
    static const exp_op ops[] = {EXP_ADD, EXP_SUB, EXP_MUL};
    exp_op op = ops[below(w, 3)];
    exp_sign sign = below(w, 2) ? EXP_SIGNED : EXP_UNSIGNED;
    item *b = item_of_width(w, a->width);
    item *it = new_item(w, exp_overflows(w->d, op, sign, a->e, b->e));
    for (unsigned r = 0; r < w->n_runs; r++)
        it->want[r] =
            ref_overflow(op, sign == EXP_SIGNED, a->want[r], b->want[r], a->width);
}

static void add_something(world *w)
{
    item *a = item_of_width(w, some_width(w));
    switch (below(w, 24)) {
    case 0:
        add_const(w, some_width(w));
        break;
    case 1:
    case 2:
        add_unary(w, a);
        break;
    case 3:
    case 4:
    case 5:
        add_choice(w, a);
        break;
    case 6:
    case 7:
    case 8:
        add_concat(w, a);
        break;
    case 9:
    case 10:
    case 11:
    case 12:
        add_cut_or_extension(w, a, some_width(w));
        break;
    case 13:
        add_funnel(w, a);
        break;
    case 14:
        add_overflow(w, a);
        break;
    default:
        add_binary(w, a);
        break;
    }
}

static void fill(world *w, size_t n_items)
{
    for (int i = 0; i < 3; i++)
        w->widths[i] = 1 + below(w, w->max_width);
    if (w->max_width == 128 && below(w, 2)) {
        static const unsigned usual[] = {1, 8, 16, 32, 64, 128};
        for (int i = 0; i < 3; i++)
            w->widths[i] = usual[below(w, 6)];
    }
    for (unsigned i = 0; i < w->n_inputs; i++) {
        unsigned width = w->widths[i % 3];
        item *it = new_item(w, exp_input(w->d, i, width));
        for (unsigned r = 0; r < w->n_runs; r++)
            it->want[r] = w->inputs[r][i] = some_number(w, width);
    }
    while (w->n < n_items)
        add_something(w);
}

static void check_values(const world *w)
{
    exp_tape t = {0};
    for (size_t i = 0; i < w->n; i++)
        exp_tape_add(&t, w->d, w->items[i].e);
    for (unsigned r = 0; r < w->n_runs; r++) {
        exp_tape_run(&t, (exp_values){w->inputs[r], w->n_inputs});
        for (size_t i = 0; i < w->n; i++) {
            td_u128 got = exp_tape_value(&t, w->items[i].e);
            if (got != w->items[i].want[r]) {
                td_text text = {0};
                exp_print(w->d, w->items[i].e, NULL, &text);
                fail_msg("item %zu, run %u: %s", i, r, text.at);
            }
        }
    }
    exp_tape_fini(&t);
}

static size_t try_world(world *w, uint64_t seed, unsigned max_width)
{
    w->rng.state = seed;
    w->d = exp_new();
    w->n = 0;
    w->max_width = max_width;
    w->n_inputs = 1 + below(w, MAX_INPUTS);
    w->n_runs = max_width < 10 ? 40 : 6;
    fill(w, MAX_ITEMS - 10);
    check_values(w);
    char why[100];
    if (!exp_valid(w->d, why, sizeof why))
        fail_msg("seed %llu: %s", (unsigned long long)seed, why);
    exp_free(w->d);
    return w->n;
}

static world shared_world; /* too large for a stack */

static void simplified_means_the_same(void **state)
{
    size_t n = 0;
    for (uint64_t seed = 1; n < 700000; seed++)
        n += try_world(&shared_world, seed, 128);
}

static void simplified_means_the_same_at_small_widths(void **state)
{
    size_t n = 0;
    for (uint64_t seed = 1; n < 300000; seed++)
        n += try_world(&shared_world, ~seed, 1 + seed % 9);
}

/* --- Single rules --- */

static const char *name_of(void *context, uint32_t number)
{
    static const char *const names[] = {"x", "y", "c", "n", "p"};
    return names[number];
}

static exp_sign sign_of(void *context, uint32_t number)
{
    return number >= 3 ? EXP_UNSIGNED : EXP_SIGNED;
}

static const exp_names names = {.name = name_of, .sign = sign_of};

typedef struct five {
    exp_dag *d;
    exp_ref x, y; /* int */
    exp_ref c;    /* char */
    exp_ref n;    /* unsigned */
    exp_ref p;    /* one bit */
} five;

static five five_inputs(void)
{
    exp_dag *d = exp_new();
    return (five){d,
                  exp_input(d, 0, 32),
                  exp_input(d, 1, 32),
                  exp_input(d, 2, 8),
                  exp_input(d, 3, 32),
                  exp_input(d, 4, 1)};
}

static exp_ref num(exp_dag *d, int64_t v)
{
    return exp_const(d, 32, (td_u128)(i128)v);
}

static void prints(exp_dag *d, exp_ref e, const char *want)
{
    td_text text = {0};
    exp_print(d, e, &names, &text);
    assert_string_equal(text.at, want);
    td_text_fini(&text);
}

static exp_ref op2(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    return exp_binary(d, op, a, b);
}

static void conditions_read_like_c(void **state)
{
    five f = five_inputs();
    exp_dag *d = f.d;
    exp_ref sum = op2(d, EXP_EQ, op2(d, EXP_ADD, f.y, f.x), num(d, 71));
    prints(d, op2(d, EXP_AND, op2(d, EXP_SLT, num(d, 30), f.x), sum),
           "x > 30 && x + y == 71");
    prints(d, op2(d, EXP_SLE, f.x, num(d, -5)), "x < -4");
    prints(d, op2(d, EXP_ULT, f.x, num(d, 10)), "(unsigned)x < 10");
    prints(d, op2(d, EXP_ULT, f.n, num(d, 10)), "n < 10");
    prints(d, op2(d, EXP_ULE, f.n, op2(d, EXP_MUL, f.n, f.n)), "n <= n * n");
    prints(d, op2(d, EXP_EQ, f.n, num(d, -1)), "n == 4294967295");
    prints(d, op2(d, EXP_EQ, f.x, num(d, -1)), "x == -1");
    prints(d, op2(d, EXP_SLT, f.x, num(d, 0)), "x < 0");
    prints(d, op2(d, EXP_SLE, num(d, 0), f.x), "x >= 0");
    prints(d, op2(d, EXP_SUB, f.x, num(d, 5)), "x - 5");
    prints(d, op2(d, EXP_SHL, f.x, num(d, 3)), "x << 3");
    prints(d, op2(d, EXP_LSHR, f.n, num(d, 3)), "n >> 3");
    prints(d, op2(d, EXP_ASHR, f.x, num(d, 3)), "x >> 3");
    prints(d, op2(d, EXP_AND, f.x, num(d, 0xff)), "(uint8_t)x");
    prints(d, op2(d, EXP_AND, f.x, num(d, 0x55)), "x & 0x55");
    prints(d, op2(d, EXP_EQ, exp_sext(d, f.c, 32), num(d, 'a')), "c == 97");
    prints(d, exp_ite(d, f.p, f.x, op2(d, EXP_MUL, op2(d, EXP_ADD, f.x, f.y), f.y)),
           "p ? x : (x + y) * y");
    prints(d, exp_unary(d, EXP_NOT, f.p), "!p");
    prints(d, op2(d, EXP_UREM, f.n, num(d, 10)), "n % 10");
    exp_free(d);
}

static void rules_find_the_simple_form(void **state)
{
    five f = five_inputs();
    exp_dag *d = f.d;
    exp_ref x = f.x, y = f.y, zc = exp_zext(d, f.c, 32), sc = exp_sext(d, f.c, 32);
    exp_ref yes = exp_const(d, 1, 1), no = exp_const(d, 1, 0);
#define SAME(a, b) assert_true(exp_same(a, b))
    SAME(op2(d, EXP_SUB, x, x), num(d, 0));
    SAME(op2(d, EXP_SUB, op2(d, EXP_ADD, x, y), x), y);
    SAME(op2(d, EXP_ADD, op2(d, EXP_SUB, x, y), y), x);
    SAME(op2(d, EXP_ADD, x, y), op2(d, EXP_ADD, y, x));
    SAME(op2(d, EXP_ADD, op2(d, EXP_ADD, x, num(d, 3)), op2(d, EXP_ADD, y, num(d, -3))),
         op2(d, EXP_ADD, x, y));
    SAME(op2(d, EXP_XOR, op2(d, EXP_XOR, x, y), y), x);
    SAME(op2(d, EXP_EQ, op2(d, EXP_ADD, x, num(d, 1)), num(d, 5)),
         op2(d, EXP_EQ, x, num(d, 4)));
    SAME(op2(d, EXP_EQ, op2(d, EXP_MUL, x, num(d, 7)), num(d, 49)),
         op2(d, EXP_EQ, x, num(d, 7)));
    SAME(op2(d, EXP_EQ, op2(d, EXP_MUL, x, num(d, 12)), num(d, 7)), no);
    SAME(op2(d, EXP_EQ, zc, num(d, 300)), no);
    SAME(op2(d, EXP_ULT, zc, num(d, 256)), yes);
    SAME(op2(d, EXP_SLT, zc, num(d, 0)), no);
    SAME(op2(d, EXP_SLT, zc, num(d, 100)), op2(d, EXP_ULT, f.c, exp_const(d, 8, 100)));
    SAME(op2(d, EXP_SLT, sc, num(d, 100)), op2(d, EXP_SLT, f.c, exp_const(d, 8, 100)));
    SAME(op2(d, EXP_SLT, sc, num(d, 1000)), yes);
    SAME(exp_extract(d, op2(d, EXP_ADD, sc, num(d, 1)), 0, 8),
         op2(d, EXP_ADD, f.c, exp_const(d, 8, 1)));
    /* A Boolean made an int and tested again. */
    exp_ref less = op2(d, EXP_SLT, x, y);
    SAME(op2(d, EXP_NE, exp_zext(d, less, 32), num(d, 0)), less);
    exp_ref choice = exp_ite(d, less, num(d, 4), num(d, 9));
    SAME(op2(d, EXP_EQ, choice, num(d, 9)), exp_unary(d, EXP_NOT, less));
    SAME(op2(d, EXP_ULT, choice, num(d, 10)), yes);
    /* Bytes stored and loaded; bytes put together by shifts. */
    exp_ref bytes = exp_extract(d, x, 24, 8);
    exp_ref shifted = exp_zext(d, exp_extract(d, x, 0, 8), 32);
    for (unsigned i = 1; i < 4; i++) {
        bytes = op2(d, EXP_CONCAT, bytes, exp_extract(d, x, 24 - 8 * i, 8));
        exp_ref byte = exp_zext(d, exp_extract(d, x, 8 * i, 8), 32);
        shifted = op2(d, i == 2 ? EXP_ADD : EXP_OR, shifted,
                      op2(d, EXP_SHL, byte, num(d, 8 * i)));
    }
    SAME(bytes, x);
    SAME(shifted, x);
    SAME(exp_bswap(d, exp_bswap(d, x)), x);
    SAME(op2(d, EXP_UDIV, zc, num(d, 10)),
         exp_zext(d, op2(d, EXP_UDIV, f.c, exp_const(d, 8, 10)), 32));
    SAME(op2(d, EXP_SREM, zc, num(d, 16)), op2(d, EXP_AND, zc, num(d, 15)));
#undef SAME
    exp_free(d);
}

static void division_and_shifts_are_defined(void **state)
{
    exp_dag *d = exp_new();
    exp_ref zero = exp_const(d, 8, 0), min = exp_const(d, 8, 0x80),
            x = exp_input(d, 0, 8);
    exp_ref minus = exp_const(d, 8, 0xff), quint = exp_const(d, 8, 5);
    td_u128 v;
    const struct {
        exp_op op;
        exp_ref a, b;
        unsigned want;
    } cases[] = {
        {EXP_UDIV, quint, zero, 0xff},
        {EXP_SDIV, quint, zero, 0xff},
        {EXP_SDIV, minus, zero, 1},
        {EXP_UREM, quint, zero, 5},
        {EXP_SREM, minus, zero, 0xff},
        {EXP_SDIV, min, minus, 0x80},
        {EXP_SREM, min, minus, 0},
        {EXP_SHL, quint, minus, 0},
        {EXP_LSHR, minus, exp_const(d, 8, 8), 0},
        {EXP_ASHR, min, minus, 0xff},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        exp_ref e = exp_binary(d, cases[i].op, cases[i].a, cases[i].b);
        assert_true(exp_is_const(d, e, &v));
        assert_true(v == cases[i].want);
    }
    td_u128 input = 0xfb; /* -5 */
    exp_values values = {&input, 1};
    assert_true(exp_eval(d, exp_binary(d, EXP_SDIV, x, zero), values) == 1);
    assert_true(exp_eval(d, exp_binary(d, EXP_UDIV, x, zero), values) == 0xff);
    assert_true(exp_eval(d, exp_binary(d, EXP_ASHR, x, minus), values) == 0xff);
    exp_free(d);
}

/* --- The rest --- */

static void ids_do_not_depend_on_the_graph(void **state)
{
    exp_dag *a = exp_new(), *b = exp_new();
    exp_ref xa = exp_input(a, 0, 16), ya = exp_input(a, 1, 16);
    exp_input(b, 7, 3);
    exp_ref yb = exp_input(b, 1, 16), xb = exp_input(b, 0, 16);
    exp_ref ea = op2(a, EXP_ULT, op2(a, EXP_ADD, xa, ya), op2(a, EXP_MUL, xa, ya));
    exp_ref eb = op2(b, EXP_ULT, op2(b, EXP_ADD, yb, xb), op2(b, EXP_MUL, yb, xb));
    assert_true(td_id_equal(exp_id(a, ea), exp_id(b, eb)));
    assert_false(td_id_equal(exp_id(a, xa), exp_id(a, ya)));
    assert_false(
        td_id_equal(exp_id(a, exp_const(a, 8, 1)), exp_id(a, exp_const(a, 9, 1))));
    exp_free(a);
    exp_free(b);
}

static void inputs_are_those_it_depends_on(void **state)
{
    exp_dag *d = exp_new();
    td_rng rng = {3};
    enum { N = 3000 };
    static uint8_t in[2][N];
    memset(in, 0, sizeof in);
    exp_ref e[2] = {exp_const(d, 8, 0), exp_const(d, 8, 0)};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 300; i++) {
            uint32_t number = (uint32_t)td_rng_below(&rng, N) | (k ? 1 : 0);
            in[k][number % N] = 1;
            exp_ref x = exp_input(d, number % N, 8);
            e[k] = op2(d, EXP_UDIV, e[k], x);
        }
    exp_set s = exp_inputs(d, e[0]), t = exp_inputs(d, e[1]);
    exp_set both = exp_set_union(d, s, t);
    assert_int_equal(both.ix, exp_set_union(d, t, s).ix);
    exp_u32_vec list = {0};
    exp_set_list(d, both, &list);
    size_t at = 0;
    bool overlap = false;
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(exp_set_has(d, s, i), in[0][i]);
        assert_int_equal(exp_set_has(d, both, i), in[0][i] | in[1][i]);
        overlap |= in[0][i] && in[1][i];
        if (in[0][i] | in[1][i])
            assert_int_equal(list.at[at++], i);
    }
    assert_int_equal(at, list.len);
    assert_int_equal(exp_set_overlap(d, s, t), overlap);
    exp_set one = exp_inputs(d, exp_input(d, list.at[5], 8));
    exp_set other = exp_inputs(d, exp_input(d, N + 100, 8));
    assert_true(exp_set_overlap(d, one, both));
    assert_false(exp_set_overlap(d, other, both));
    assert_int_equal(exp_inputs(d, exp_const(d, 4, 3)).ix, 0);
    exp_u32_vec_fini(&list);
    exp_free(d);
}

static void depth_and_size_are_fine(void **state)
{
    enum { DEPTH = 1000000 };
    exp_dag *d = exp_new();
    exp_ref x = exp_input(d, 0, 64), y = exp_input(d, 1, 64), e = x;
    td_u128 in[2] = {3, 5};
    uint64_t want = 3;
    for (int i = 0; i < DEPTH; i++) {
        e = op2(d, i % 2 ? EXP_MUL : EXP_XOR, e, y);
        want = i % 2 ? want * 5 : want ^ 5;
        if (i % 3 == 0) {
            e = op2(d, EXP_ADD, e, x);
            want += 3;
        }
    }
    assert_true(exp_count(d) > DEPTH);
    assert_true(exp_eval(d, e, (exp_values){in, 2}) == want);
    exp_u32_vec list = {0};
    exp_set_list(d, exp_inputs(d, e), &list);
    assert_int_equal(list.len, 2);
    td_text text = {0};
    exp_print(d, e, &names, &text);
    assert_true(text.len < 10000 && strstr(text.at, "..."));
    exp_ref cond = op2(d, EXP_EQ, e, exp_const(d, 64, 1));
    td_text_clear(&text);
    exp_smtlib(d, &cond, 1, &text);
    assert_true(text.len > DEPTH);
    td_text_fini(&text);
    exp_u32_vec_fini(&list);
    exp_free(d);
}

static void tape_stops_at_the_first_falsehood(void **state)
{
    exp_dag *d = exp_new();
    exp_ref x = exp_input(d, 0, 8), y = exp_input(d, 1, 8);
    exp_tape t = {0};
    exp_tape_add(&t, d, op2(d, EXP_ULT, x, exp_const(d, 8, 10)));
    exp_tape_add(&t, d, op2(d, EXP_ULT, x, y));
    exp_tape_add(&t, d, op2(d, EXP_ULT, x, exp_const(d, 8, 10)));
    td_u128 in[2] = {20, 30};
    assert_int_equal(exp_tape_holds(&t, (exp_values){in, 2}), 0);
    in[0] = 5;
    assert_int_equal(exp_tape_holds(&t, (exp_values){in, 2}), 3);
    assert_int_equal(exp_tape_holds(&t, (exp_values){in, 1}), 1);
    assert_int_equal(exp_tape_score(&t, (exp_values){in, 1}), 2);
    exp_tape_clear(&t);
    exp_tape_add(&t, d, y);
    exp_tape_run(&t, (exp_values){in, 2});
    assert_true(exp_tape_value(&t, y) == 30);
    exp_tape_fini(&t);
    exp_free(d);
}

static void smtlib_defines_each_node_once(void **state)
{
    exp_dag *d = exp_new();
    exp_ref x = exp_input(d, 2, 8);
    exp_ref e = op2(d, EXP_ULT, op2(d, EXP_MUL, x, x), exp_const(d, 8, 5));
    td_text text = {0};
    exp_smtlib(d, &e, 1, &text);
    assert_string_equal(text.at,
                        "(set-logic QF_BV)\n"
                        "(declare-fun in2 () (_ BitVec 8))\n"
                        "(define-fun e0 () (_ BitVec 8) in2)\n"
                        "(define-fun e1 () (_ BitVec 8) (bvmul e0 e0))\n"
                        "(define-fun e2 () (_ BitVec 8) #b00000101)\n"
                        "(define-fun e3 () (_ BitVec 1) (ite (bvult e1 e2) #b1 #b0))\n"
                        "(assert (= e3 #b1))\n"
                        "(check-sat)\n");
    td_text_fini(&text);
    exp_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simplified_means_the_same),
        cmocka_unit_test(simplified_means_the_same_at_small_widths),
        cmocka_unit_test(conditions_read_like_c),
        cmocka_unit_test(rules_find_the_simple_form),
        cmocka_unit_test(division_and_shifts_are_defined),
        cmocka_unit_test(ids_do_not_depend_on_the_graph),
        cmocka_unit_test(inputs_are_those_it_depends_on),
        cmocka_unit_test(depth_and_size_are_fine),
        cmocka_unit_test(tape_stops_at_the_first_falsehood),
        cmocka_unit_test(smtlib_defines_each_node_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
