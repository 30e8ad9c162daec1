/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons of sums of inputs, as people write them: "arg1 + arg2 > 100" instead of
 * "(signed)(100 - (arg1 + arg2)) < 0". That is the same only if nothing overflows; then the sum is a
 * number, and what it is compared with can change sides. */
#include "path/linear.h"

enum { MAX_TERMS = 6, MAX_DEPTH = 12 };

/* So that all numbers here fit into 64 bits. */
#define MAX_FACTOR (INT64_C(1) << 20)
#define MAX_CONSTANT (INT64_C(1) << 40)
#define MAX_VALUE (INT64_C(1) << 34)

typedef struct sum {
    uint32_t inputs[MAX_TERMS];
    int64_t factors[MAX_TERMS];
    uint32_t n;
    int64_t constant;
} sum;

typedef struct reader {
    const exp_dag *d;
    const exp_names *names;
    const pth_range *ranges; /* by input */
} reader;

/* ---- ranges ---- */

/* True if the sum is between two numbers, for all inputs. */
static bool is_within(const reader *r, const sum *s, int64_t low, int64_t high)
{
    int64_t least = s->constant, most = s->constant;
    for (uint32_t i = 0; i < s->n; i++) {
        const pth_range *range = &r->ranges[s->inputs[i]];
        int64_t a = s->factors[i] * range->low, b = s->factors[i] * range->high;
        least += a < b ? a : b;
        most += a < b ? b : a;
    }
    return least >= low && most <= high;
}

static bool fits(const reader *r, const sum *s, unsigned width, exp_sign sign)
{
    unsigned bits = width > 56 ? 56 : width; /* more cannot be reached */
    if (sign == EXP_SIGNED)
        return is_within(r, s, -(INT64_C(1) << (bits - 1)),
                         (INT64_C(1) << (bits - 1)) - 1);
    return is_within(r, s, 0, (INT64_C(1) << bits) - 1);
}

/* ---- reading ---- */

static bool add(const reader *r, exp_ref e, int64_t factor, int depth, sum *out);

static bool add_input(const reader *r, uint32_t number, int64_t factor, sum *out)
{
    const pth_range *range = &r->ranges[number];
    uint32_t i = 0;
    while (i < out->n && out->inputs[i] != number)
        i++;
    if (i == MAX_TERMS || range->low < -MAX_VALUE || range->high > MAX_VALUE)
        return false;
    if (i == out->n) {
        out->inputs[i] = number;
        out->factors[i] = 0;
        out->n++;
    }
    out->factors[i] += factor;
    return out->factors[i] <= MAX_FACTOR && out->factors[i] >= -MAX_FACTOR;
}

static bool constant_of(const exp_dag *d, exp_ref e, int64_t *out)
{
    td_u128 value = 0;
    unsigned width = exp_width(d, e);
    if (!exp_is_const(d, e, &value) || width > 64)
        return false;
    *out = (int64_t)((uint64_t)value << (64 - width)) >> (64 - width);
    return *out <= MAX_CONSTANT && *out >= -MAX_CONSTANT;
}

static bool add_constant(int64_t value, int64_t factor, sum *out)
{
    int64_t product = 0;
    return !__builtin_mul_overflow(value, factor, &product) && product <= MAX_CONSTANT &&
           product >= -MAX_CONSTANT && (out->constant += product) <= MAX_CONSTANT &&
           out->constant >= -MAX_CONSTANT;
}

/* A value that was extended is the number that it was, if it was one. */
static bool add_extended(const reader *r, exp_ref e, exp_sign sign, int64_t factor,
                         int depth, sum *out)
{
    sum inner = {0};
    if (!add(r, e, 1, depth, &inner) || !fits(r, &inner, exp_width(r->d, e), sign))
        return false;
    for (uint32_t i = 0; i < inner.n; i++)
        if (!add_input(r, inner.inputs[i], factor * inner.factors[i], out))
            return false;
    return add_constant(inner.constant, factor, out);
}

static bool add_product(const reader *r, const exp_node *n, int64_t factor, int depth,
                        sum *out)
{
    int64_t by = 0;
    exp_ref other = n->arg[1];
    if (!constant_of(r->d, n->arg[0], &by)) {
        other = n->arg[0];
        if (!constant_of(r->d, n->arg[1], &by))
            return false;
    }
    if (by > MAX_FACTOR || by < -MAX_FACTOR || factor > 1 || factor < -1)
        return false;
    return add(r, other, factor * by, depth, out);
}

/* Adds factor * e; the factor is small. False: it is not such a sum. */
static bool add(const reader *r, exp_ref e, int64_t factor, int depth, sum *out)
{
    exp_node n = exp_at(r->d, e);
    int64_t value = 0;
    td_u128 high = 1;
    if (depth == 0)
        return false;
    switch (n.op) {
    case EXP_CONST:
        return constant_of(r->d, e, &value) && add_constant(value, factor, out);
    case EXP_INPUT:
        return add_input(r, n.number, factor, out);
    case EXP_ADD:
        return add(r, n.arg[0], factor, depth - 1, out) &&
               add(r, n.arg[1], factor, depth - 1, out);
    case EXP_SUB:
        return add(r, n.arg[0], factor, depth - 1, out) &&
               add(r, n.arg[1], -factor, depth - 1, out);
    case EXP_NEG:
        return add(r, n.arg[0], -factor, depth - 1, out);
    case EXP_MUL:
        return add_product(r, &n, factor, depth - 1, out);
    case EXP_SEXT:
        return add_extended(r, n.arg[0], EXP_SIGNED, factor, depth - 1, out);
    case EXP_CONCAT:
        return exp_is_const(r->d, n.arg[0], &high) && high == 0 &&
               add_extended(r, n.arg[1], EXP_UNSIGNED, factor, depth - 1, out);
    default:
        return false;
    }
}

/* a < b as a - b < 0; both are numbers. */
static bool read_less(const reader *r, exp_ref a, exp_ref b, exp_sign sign, sum *out)
{
    sum left = {0}, right = {0};
    unsigned width = exp_width(r->d, a);
    return add(r, a, 1, MAX_DEPTH, &left) && fits(r, &left, width, sign) &&
           add(r, b, 1, MAX_DEPTH, &right) && fits(r, &right, width, sign) &&
           add(r, a, 1, MAX_DEPTH, out) && add(r, b, -1, MAX_DEPTH, out);
}

/* The constraint as sum < 0. */
static bool read_constraint(const reader *r, exp_ref constraint, sum *out)
{
    exp_node n = exp_at(r->d, constraint);
    if (n.op == EXP_ULT || n.op == EXP_SLT)
        return read_less(r, n.arg[0], n.arg[1],
                         n.op == EXP_ULT ? EXP_UNSIGNED : EXP_SIGNED, out);
    bool is_sign =
        n.op == EXP_EXTRACT && n.width == 1 && n.aux + 1u == exp_width(r->d, n.arg[0]);
    return is_sign && add(r, n.arg[0], 1, MAX_DEPTH, out) &&
           fits(r, out, exp_width(r->d, n.arg[0]), EXP_SIGNED);
}

/* ---- printing ---- */

static uint32_t count(const sum *s, int sign)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++)
        n += sign * s->factors[i] > 0;
    return n;
}

/* The terms of one sign, and what is added to them. */
static void print_side(const reader *r, const sum *s, int sign, int64_t constant,
                       td_text *out)
{
    const char *plus = "";
    for (uint32_t i = 0; i < s->n; i++) {
        int64_t factor = sign * s->factors[i];
        if (factor <= 0)
            continue;
        td_text_add(out, "%s", plus);
        if (factor > 1)
            td_text_add(out, "%lld * ", (long long)factor);
        td_text_add(out, "%s", r->names->name(r->names->context, s->inputs[i]));
        plus = " + ";
    }
    if (constant != 0 || *plus == '\0')
        td_text_add(out, "%s%lld", plus, (long long)constant);
}

/* Prints the terms on the left; numbers are not negative if possible. */
static void print(const reader *r, const sum *s, bool is_less, td_text *out)
{
    int64_t k = s->constant;
    if (count(s, 1) == 0) {
        print_side(r, s, -1, 0, out);
        td_text_add(out, is_less ? " > %lld" : " <= %lld", (long long)k);
        return;
    }
    bool alone = count(s, -1) == 0;
    print_side(r, s, 1, !alone && k > 0 ? k : 0, out);
    td_text_add(out, is_less ? " < " : " >= ");
    print_side(r, s, -1, alone || k < 0 ? -k : 0, out);
}

bool pth_linear_print(const exp_dag *d, exp_ref constraint, const exp_names *names,
                      const pth_range *ranges, td_text *out)
{
    reader r = {d, names, ranges};
    sum s = {0};
    exp_node n = exp_at(d, constraint);
    bool is_less = n.op != EXP_NOT;
    if (!read_constraint(&r, is_less ? constraint : n.arg[0], &s) ||
        count(&s, 1) + count(&s, -1) < 2)
        return false;
    print(&r, &s, is_less, out);
    return true;
}
