/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of terms in both orders of numbers. */
#include "path/bounds.h"

#include <stdlib.h>

#include "base/assert.h"

/* A comparison with a number: term op number, or the other way round. */
typedef struct comparison {
    exp_op op; /* EQ, ULT, SLT */
    exp_ref e;
    td_u128 number;
    bool number_first, is_opposite;
} comparison;

static td_u128 top_of(const exp_dag *d, exp_ref e)
{
    return (td_u128)1 << (exp_width(d, e) - 1);
}

/* The order of signed numbers is that of unsigned ones with the top bit turned. */
static td_u128 key_of(const exp_dag *d, exp_ref e, exp_sign sign, td_u128 number)
{
    return sign == EXP_SIGNED ? number ^ top_of(d, e) : number;
}

/* ---- in ---- */

static bool is_comparison(const exp_dag *d, exp_ref constraint, comparison *out)
{
    exp_node n = exp_at(d, constraint);
    *out = (comparison){.is_opposite = n.op == EXP_NOT};
    if (n.op == EXP_NOT)
        n = exp_at(d, n.arg[0]);
    if (n.op == EXP_EXTRACT && n.width == 1) { /* the top bit: x < 0 */
        out->op = EXP_SLT;
        out->e = n.arg[0];
        return n.aux + 1u == exp_width(d, n.arg[0]) && n.aux > 0;
    }
    if (n.op != EXP_EQ && n.op != EXP_ULT && n.op != EXP_SLT)
        return false;
    out->op = (exp_op)n.op;
    out->number_first = exp_is_const(d, n.arg[0], &out->number);
    out->e = n.arg[out->number_first];
    return out->number_first || exp_is_const(d, n.arg[1], &out->number);
}

static uint32_t term_of(pth_bounds *b, const exp_dag *d, exp_ref e)
{
    uint32_t next = (uint32_t)b->terms.len;
    uint32_t number = pth_table_number(&b->numbers, exp_id(d, e), next);
    if (number == next) {
        td_u128 last = exp_ones(exp_width(d, e));
        pth_term_vec_push(&b->terms, (pth_term){.e = e, .high = {last, last}});
    }
    return number;
}

static void raise_low(pth_term *t, exp_sign sign, td_u128 key, exp_ref from)
{
    if (key > t->low[sign]) {
        t->low[sign] = key;
        t->low_from[sign] = from;
    }
}

static void lower_high(pth_term *t, exp_sign sign, td_u128 key, exp_ref from)
{
    if (key < t->high[sign]) {
        t->high[sign] = key;
        t->high_from[sign] = from;
    }
}

static void add_order(pth_term *t, const exp_dag *d, const comparison *c, exp_ref from)
{
    TD_ASSERT(c->op == EXP_ULT || c->op == EXP_SLT);
    exp_sign sign = c->op == EXP_SLT ? EXP_SIGNED : EXP_UNSIGNED;
    td_u128 key = key_of(d, t->e, sign, c->number);
    bool is_low = c->number_first != c->is_opposite;
    /* number < e, !(e < number), e < number, !(number < e) */
    if (is_low && c->number_first && key < exp_ones(exp_width(d, t->e)))
        raise_low(t, sign, key + 1, from);
    else if (is_low && !c->number_first)
        raise_low(t, sign, key, from);
    else if (!is_low && !c->number_first && key > 0)
        lower_high(t, sign, key - 1, from);
    else if (!is_low && c->number_first)
        lower_high(t, sign, key, from);
}

uint32_t pth_bounds_add(pth_bounds *b, const exp_dag *d, exp_ref constraint)
{
    comparison c;
    if (!is_comparison(d, constraint, &c))
        return UINT32_MAX;
    uint32_t number = term_of(b, d, c.e);
    TD_ASSERT(number < b->terms.len);
    pth_term *t = &b->terms.at[number];
    if (c.op != EXP_EQ) {
        add_order(t, d, &c, constraint);
    } else if (c.is_opposite) {
        pth_unequal_vec_push(&b->unequals,
                             (pth_unequal){number, c.number, 0, constraint});
    } else {
        for (int sign = EXP_UNSIGNED; sign <= EXP_SIGNED; sign++) {
            td_u128 key = key_of(d, c.e, (exp_sign)sign, c.number);
            raise_low(t, (exp_sign)sign, key, constraint);
            lower_high(t, (exp_sign)sign, key, constraint);
        }
    }
    return number;
}

/* ---- between ---- */

/* Where the sign is known, both orders agree. */
static void transfer(pth_term *t, td_u128 top, exp_sign from, exp_sign to)
{
    if ((t->low[from] ^ t->high[from]) & top)
        return;
    raise_low(t, to, t->low[from] ^ top, EXP_NONE);
    lower_high(t, to, t->high[from] ^ top, EXP_NONE);
}

static bool says(const pth_term *t, exp_sign sign)
{
    return t->low_from[sign].ix || t->high_from[sign].ix;
}

static int by_term_and_key(const void *a, const void *b)
{
    const pth_unequal *x = a, *y = b;
    if (x->term != y->term)
        return x->term < y->term ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

/* Numbers at an end that the term does not equal move the end, if there is one. */
static void move_ends(pth_term *t, td_u128 last, const pth_unequal *at)
{
    exp_sign sign = t->sign;
    bool has_low = t->low[sign] > 0, has_high = t->high[sign] < last;
    for (size_t i = 0; i < t->n_unequals && has_low; i++)
        if (at[i].key == t->low[sign] && t->low[sign] < t->high[sign])
            raise_low(t, sign, at[i].key + 1, EXP_NONE);
    for (size_t i = t->n_unequals; i-- > 0 && has_high;)
        if (at[i].key == t->high[sign] && t->low[sign] < t->high[sign])
            lower_high(t, sign, at[i].key - 1, EXP_NONE);
}

static void settle_term(pth_term *t, td_u128 top)
{
    t->sign = says(t, EXP_SIGNED) ? EXP_SIGNED : EXP_UNSIGNED;
    transfer(t, top, EXP_SIGNED, EXP_UNSIGNED);
    transfer(t, top, EXP_UNSIGNED, EXP_SIGNED);
    transfer(t, top, EXP_SIGNED, EXP_UNSIGNED);
}

void pth_bounds_settle(pth_bounds *b, const exp_dag *d)
{
    pth_unequal_vec *u = &b->unequals;
    for (size_t i = 0; i < b->terms.len; i++)
        settle_term(&b->terms.at[i], top_of(d, b->terms.at[i].e));
    for (size_t i = 0; i < u->len; i++) {
        const pth_term *t = &b->terms.at[u->at[i].term];
        u->at[i].key = key_of(d, t->e, t->sign, u->at[i].value);
    }
    if (u->len > 1)
        qsort(u->at, u->len, sizeof *u->at, by_term_and_key);
    for (size_t i = 0; i < u->len; i++) {
        pth_term *t = &b->terms.at[u->at[i].term];
        if (t->n_unequals++ == 0)
            t->unequals = (uint32_t)i;
    }
    for (size_t i = 0; i < b->terms.len; i++) {
        pth_term *t = &b->terms.at[i];
        if (t->n_unequals > 0)
            move_ends(t, exp_ones(exp_width(d, t->e)), u->at + t->unequals);
    }
}

/* ---- out ---- */

bool pth_bounds_is_one(const pth_bounds *b, uint32_t term)
{
    const pth_term *t = &b->terms.at[term];
    return t->low[t->sign] == t->high[t->sign];
}

static exp_ref number_at(exp_dag *d, exp_ref e, exp_sign sign, td_u128 key)
{
    return exp_const(d, exp_width(d, e), key_of(d, e, sign, key));
}

static void tell_low(exp_dag *d, const pth_term *t, exp_sign sign, exp_ref_vec *out)
{
    exp_ref constraint = t->low_from[sign];
    if (t->low[sign] == 0)
        return;
    if (!constraint.ix)
        constraint = exp_binary(d, sign == EXP_SIGNED ? EXP_SLT : EXP_ULT,
                                number_at(d, t->e, sign, t->low[sign] - 1), t->e);
    exp_ref_vec_push(out, constraint);
}

static void tell_high(exp_dag *d, const pth_term *t, exp_sign sign, exp_ref_vec *out)
{
    exp_ref constraint = t->high_from[sign];
    if (t->high[sign] == exp_ones(exp_width(d, t->e)))
        return;
    if (!constraint.ix)
        constraint = exp_binary(d, sign == EXP_SIGNED ? EXP_SLT : EXP_ULT, t->e,
                                number_at(d, t->e, sign, t->high[sign] + 1));
    exp_ref_vec_push(out, constraint);
}

static void tell_unequals(const pth_bounds *b, const pth_term *t, exp_ref_vec *out)
{
    for (uint32_t i = 0; i < t->n_unequals; i++) {
        const pth_unequal *u = &b->unequals.at[t->unequals + i];
        if (u->key >= t->low[t->sign] && u->key <= t->high[t->sign])
            exp_ref_vec_push(out, u->from);
    }
}

void pth_bounds_tell(const pth_bounds *b, exp_dag *d, uint32_t term, exp_ref_vec *out)
{
    const pth_term *t = &b->terms.at[term];
    exp_sign sign = t->sign;
    if (t->low[sign] == t->high[sign]) {
        exp_ref number = number_at(d, t->e, sign, t->low[sign]);
        exp_ref_vec_push(out, exp_binary(d, EXP_EQ, t->e, number));
        return;
    }
    tell_low(d, t, sign, out);
    tell_high(d, t, sign, out);
    if (sign == EXP_SIGNED && says(t, EXP_UNSIGNED) &&
        (t->low[sign] ^ t->high[sign]) & top_of(d, t->e)) {
        tell_low(d, t, EXP_UNSIGNED, out);
        tell_high(d, t, EXP_UNSIGNED, out);
    }
    tell_unequals(b, t, out);
}

void pth_bounds_fini(pth_bounds *b)
{
    pth_term_vec_fini(&b->terms);
    pth_unequal_vec_fini(&b->unequals);
    pth_table_fini(&b->numbers);
}
