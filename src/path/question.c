/* SPDX-License-Identifier: Apache-2.0 */
/* Questions: an expression and how a thread decides by it, and the conditions of its sides. */
#include "path/path_int.h"

static const pth_known *known(const pth *p, uint32_t question)
{
    TD_ASSERT(question < p->questions.len);
    return &p->questions.at[question];
}

uint32_t pth_question(pth *p, const trc *t, const trc_op *op)
{
    TD_ASSERT(mdl_decides(op->kind) && op->size < WIRE_N_DECIDES);
    exp_ref e = pth_node(p, t, (uint32_t)op->object);
    const trc_switch *s =
        op->size == WIRE_DECIDE_SWITCH ? trc_switch_at(t, op->site) : NULL;
    const uint64_t *cases = s ? t->cases.at + s->first : NULL;
    uint32_t n_cases = s ? s->n : 0;

    pth_u64_vec_clear(&p->words);
    pth_u64_vec_push(&p->words, (uint64_t)op->size << 32 | e.ix);
    pth_u64_vec_append(&p->words, cases, n_cases);
    td_id id = td_id_hash(p->words.at, p->words.len * sizeof *p->words.at);
    uint32_t next = (uint32_t)p->questions.len;
    uint32_t number = pth_table_number(&p->question_numbers, id, next);
    if (number == next) {
        pth_known q = {.e = e, .how = op->size, .n_cases = n_cases};
        q.first_case = (uint32_t)p->cases.len;
        pth_u64_vec_append(&p->cases, cases, n_cases);
        pth_known_vec_push(&p->questions, q);
    }
    return number;
}

uint8_t pth_how(const pth *p, uint32_t question)
{
    return known(p, question)->how;
}

uint32_t pth_n_sides(const pth *p, uint32_t question)
{
    const pth_known *q = known(p, question);
    return q->how == WIRE_DECIDE_BRANCH   ? 2
           : q->how == WIRE_DECIDE_SWITCH ? q->n_cases + 1
                                          : 0;
}

/* ---- conditions ---- */

static exp_ref constraint(pth *p, bool value)
{
    return exp_const(p->d, 1, value);
}

static exp_ref both(pth *p, exp_ref a, exp_ref b)
{
    return exp_binary(p->d, EXP_AND, a, b);
}

static exp_ref not(pth * p, exp_ref a)
{
    return exp_unary(p->d, EXP_NOT, a);
}

/* A value that does not fit is never taken. */
static exp_ref equals(pth *p, exp_ref e, uint64_t value)
{
    unsigned width = exp_width(p->d, e);
    if (width < 64 && value >> width != 0)
        return constraint(p, false);
    return exp_binary(p->d, EXP_EQ, e, exp_const(p->d, width, value));
}

/* Builds the condition of one case. Of two cases with the same value the program takes the first. */
static exp_ref one_case(pth *p, const pth_known *q, uint64_t side)
{
    const uint64_t *cases = p->cases.at + q->first_case;
    TD_ASSERT(side >= 1 && side <= q->n_cases);
    for (uint64_t i = 0; i + 1 < side; i++)
        if (cases[i] == cases[side - 1])
            return constraint(p, false);
    return equals(p, q->e, cases[side - 1]);
}

static exp_ref no_case(pth *p, uint32_t question)
{
    TD_ASSERT(p->questions.at[question].how == WIRE_DECIDE_SWITCH);
    pth_known q = p->questions.at[question];
    if (q.otherwise.ix)
        return q.otherwise;
    exp_ref all = constraint(p, true);
    for (uint32_t i = 0; i < q.n_cases; i++)
        all = both(p, all, not(p, equals(p, q.e, p->cases.at[q.first_case + i])));
    p->questions.at[question].otherwise = all;
    return all;
}

exp_ref pth_condition(pth *p, uint32_t question, uint64_t side)
{
    const pth_known *q = known(p, question);
    if (q->how == WIRE_DECIDE_VALUE)
        return equals(p, q->e, side);
    if (side >= pth_n_sides(p, question))
        return constraint(p, false);
    if (q->how == WIRE_DECIDE_BRANCH)
        return side ? q->e : not(p, q->e);
    return side ? one_case(p, q, side) : no_case(p, question);
}

static bool is_among(uint64_t side, const uint64_t *sides, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (sides[i] == side)
            return true;
    return false;
}

/* Without the default a switch takes one of the cases that are left. */
static exp_ref cases_left(pth *p, uint32_t question, const uint64_t *sides, size_t n)
{
    exp_ref any = constraint(p, false);
    for (uint32_t side = 1; side < pth_n_sides(p, question); side++)
        if (!is_among(side, sides, n))
            any = exp_binary(p->d, EXP_OR, any, pth_condition(p, question, side));
    return any;
}

exp_ref pth_none_of(pth *p, uint32_t question, const uint64_t *sides, size_t n)
{
    uint8_t how = known(p, question)->how;
    if (how == WIRE_DECIDE_SWITCH && is_among(0, sides, n))
        return cases_left(p, question, sides, n);
    if (how == WIRE_DECIDE_BRANCH && is_among(0, sides, n) && is_among(1, sides, n))
        return constraint(p, false);
    exp_ref all = constraint(p, true);
    for (size_t i = 0; i < n; i++)
        all = both(p, all, not(p, pth_condition(p, question, sides[i])));
    return all;
}

exp_ref pth_smaller(pth *p, uint32_t question, uint64_t side)
{
    const pth_known *q = known(p, question);
    unsigned width = exp_width(p->d, q->e);
    if (q->how == WIRE_DECIDE_VALUE)
        return exp_binary(p->d, EXP_ULT, q->e, exp_const(p->d, width, side));
    exp_ref any = constraint(p, false);
    for (uint64_t i = 0; i < side && i < pth_n_sides(p, question); i++)
        any = exp_binary(p->d, EXP_OR, any, pth_condition(p, question, i));
    return any;
}
