/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of EQ. Against a constant the operation on the other side is undone where it can
 * be, and a CONCAT becomes one equality for each part. */
#include "expr/expr_int.h"

static exp_ref eq(exp_dag *d, exp_ref a, exp_ref b)
{
    return exp_binary(d, EXP_EQ, a, b);
}

static exp_ref eq_number(exp_dag *d, exp_ref a, td_u128 k)
{
    return eq(d, a, exp_const(d, exp_width(d, a), k));
}

static exp_ref boolean(exp_dag *d, bool value)
{
    return exp_const(d, 1, value);
}

static exp_ref both(exp_dag *d, exp_ref a, exp_ref b)
{
    return exp_binary(d, EXP_AND, a, b);
}

/* The number that times odd k is 1, by Newton: each step doubles the right bits. */
static td_u128 inverse(td_u128 k)
{
    td_u128 x = k;
    for (int right = 3; right < 128; right *= 2)
        x *= 2 - k * x;
    return x;
}

/* x * c == k with a constant c. Known bits have shown that k has c's factors of two. */
static exp_ref eq_product(exp_dag *d, exp_ref x, td_u128 c, td_u128 k)
{
    unsigned twos = 0, width = exp_width(d, x);
    for (; !(c & 1); c >>= 1)
        twos++;
    TD_DASSERT(twos == 0 || !(k & exp_ones(twos)));
    exp_ref low = exp_extract(d, x, 0, width - twos);
    return eq_number(d, low, (k >> twos) * inverse(c));
}

static exp_ref eq_sext(exp_dag *d, const exp_node *n, td_u128 k)
{
    td_u128 v[3] = {k & exp_ones(n->aux), 0, 0};
    if (exp_apply(EXP_SEXT, n->width, n->aux, v) != k)
        return boolean(d, false);
    return eq_number(d, n->arg[0], k);
}

static exp_ref eq_choice(exp_dag *d, const exp_node *n, td_u128 k)
{
    if (!exp_const_at(d, n->arg[1]) && !exp_const_at(d, n->arg[2]))
        return EXP_NONE;
    exp_ref then = eq_number(d, n->arg[1], k);
    return exp_ite(d, n->arg[0], then, eq_number(d, n->arg[2], k));
}

/* x op y == k where y or x is a constant, or k is 0. */
static exp_ref eq_linear(exp_dag *d, const exp_node *n, td_u128 k)
{
    exp_ref x = n->arg[0], y = n->arg[1];
    bool right = exp_const_at(d, y);
    td_u128 c = right ? exp_const_value(d, y) : 0;
    if (n->op == EXP_ADD && right)
        return eq_number(d, x, k - c);
    if (n->op == EXP_XOR && right)
        return eq_number(d, x, k ^ c);
    if (n->op == EXP_MUL && right && c != 0)
        return eq_product(d, x, c, k);
    if (n->op == EXP_SUB && exp_const_at(d, x))
        return eq_number(d, y, exp_const_value(d, x) - k);
    if ((n->op == EXP_SUB || n->op == EXP_XOR) && k == 0)
        return eq(d, x, y);
    return EXP_NONE;
}

static exp_ref eq_with_number(exp_dag *d, exp_ref a, td_u128 k)
{
    exp_node n = exp_at(d, a);
    exp_known known = exp_known_bits(d, a);
    if ((known.zero & k) || (known.one & ~k))
        return boolean(d, false);
    switch ((exp_op)n.op) {
    case EXP_ADD:
    case EXP_SUB:
    case EXP_XOR:
    case EXP_MUL:
        return eq_linear(d, &n, k);
    case EXP_NEG:
        return eq_number(d, n.arg[0], (td_u128)0 - k);
    case EXP_NOT:
        return eq_number(d, n.arg[0], ~k);
    case EXP_CONCAT:
        return both(d, eq_number(d, n.arg[0], k >> n.aux), eq_number(d, n.arg[1], k));
    case EXP_SEXT:
        return eq_sext(d, &n, k);
    case EXP_ITE:
        return eq_choice(d, &n, k);
    case EXP_OR:
        return k == 0 ? both(d, eq_number(d, n.arg[0], 0), eq_number(d, n.arg[1], 0))
                      : EXP_NONE;
    case EXP_AND:
        return k == exp_ones(n.width)
                   ? both(d, eq_number(d, n.arg[0], k), eq_number(d, n.arg[1], k))
                   : EXP_NONE;
    default:
        return EXP_NONE;
    }
}

/* a is a CONCAT: part by part. */
static exp_ref eq_parts(exp_dag *d, exp_ref a, exp_ref b)
{
    exp_node n = exp_at(d, a);
    exp_ref high = eq(d, n.arg[0], exp_extract(d, b, n.aux, n.width - n.aux));
    return both(d, high, eq(d, n.arg[1], exp_extract(d, b, 0, n.aux)));
}

/* x + y == x + z is y == z. */
static exp_ref eq_sums(exp_dag *d, const exp_node *m, const exp_node *n)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (exp_same(m->arg[i], n->arg[j]))
                return eq(d, m->arg[1 - i], n->arg[1 - j]);
    if (m->op != EXP_ADD || !exp_const_at(d, m->arg[1]) || !exp_const_at(d, n->arg[1]))
        return EXP_NONE;
    exp_ref k = exp_binary(d, EXP_SUB, n->arg[1], m->arg[1]);
    return eq(d, m->arg[0], exp_binary(d, EXP_ADD, n->arg[0], k));
}

/* a is made of b; tried both ways. */
static exp_ref eq_shared(exp_dag *d, exp_ref a, exp_ref b)
{
    exp_node n = exp_at(d, a);
    if (exp_is_not_of(d, a, b))
        return boolean(d, false);
    if (n.op == EXP_NOT && n.width == 1)
        return exp_unary(d, EXP_NOT, eq(d, n.arg[0], b));
    if ((n.op == EXP_ADD || n.op == EXP_XOR) && exp_same(n.arg[0], b))
        return eq_number(d, n.arg[1], 0);
    if ((n.op == EXP_ADD || n.op == EXP_XOR) && exp_same(n.arg[1], b))
        return eq_number(d, n.arg[0], 0);
    if (n.op == EXP_SUB && exp_same(n.arg[0], b))
        return eq_number(d, n.arg[1], 0);
    return EXP_NONE;
}

exp_ref exp_rule_eq(exp_dag *d, exp_ref a, exp_ref b)
{
    if (exp_same(a, b))
        return boolean(d, true);
    if (exp_const_at(d, b) && exp_width(d, a) == 1)
        return exp_const_value(d, b) ? a : exp_unary(d, EXP_NOT, a);
    if (exp_const_at(d, b))
        return eq_with_number(d, a, exp_const_value(d, b));
    exp_node m = exp_at(d, a), n = exp_at(d, b);
    exp_known p = exp_known_bits(d, a), q = exp_known_bits(d, b);
    if ((p.zero & q.one) || (p.one & q.zero))
        return boolean(d, false);
    if (m.op == EXP_CONCAT && n.op == EXP_CONCAT)
        return eq_parts(d, a, b);
    if (m.op == EXP_SEXT && n.op == EXP_SEXT && m.aux == n.aux)
        return eq(d, m.arg[0], n.arg[0]);
    if (m.op == n.op && (m.op == EXP_NOT || m.op == EXP_NEG))
        return eq(d, m.arg[0], n.arg[0]);
    exp_ref e = EXP_NONE;
    if (m.op == n.op && (m.op == EXP_ADD || m.op == EXP_XOR))
        e = eq_sums(d, &m, &n);
    if (!e.ix)
        e = eq_shared(d, a, b);
    return e.ix ? e : eq_shared(d, b, a);
}
