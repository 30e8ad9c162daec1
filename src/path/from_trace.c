/* SPDX-License-Identifier: Apache-2.0 */
/* Runs in: inputs get numbers at once, nodes become expressions when they are asked for. */
#include "path/path_int.h"

#include "wire/sym.h"

pth *pth_new(void)
{
    pth *p = td_alloc(sizeof *p);
    p->d = exp_new();
    return p;
}

void pth_free(pth *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->inputs.len; i++)
        td_free((char *)p->inputs.at[i].name);
    pth_input_vec_fini(&p->inputs);
    pth_table_fini(&p->input_numbers);
    pth_known_vec_fini(&p->questions);
    pth_table_fini(&p->question_numbers);
    pth_u64_vec_fini(&p->cases);
    pth_table_fini(&p->made);
    exp_u32_vec_fini(&p->run_inputs);
    exp_ref_vec_fini(&p->refs);
    pth_shift_vec_fini(&p->shifts);
    exp_u32_vec_fini(&p->stack);
    exp_u32_vec_fini(&p->members);
    pth_byte_vec_fini(&p->marks);
    pth_u64_vec_fini(&p->words);
    exp_free(p->d);
    td_free(p);
}

exp_dag *pth_dag(pth *p)
{
    return p->d;
}

/* ---- inputs ---- */

static uint32_t number_of(pth *p, const trc *t, const trc_input *in)
{
    uint64_t words[2] = {in->key, in->bits};
    uint32_t next = (uint32_t)p->inputs.len;
    if (next == EXP_MAX_INPUTS)
        return UINT32_MAX;
    td_id id = td_id_hash(words, sizeof words);
    uint32_t number = pth_table_number(&p->input_numbers, id, next);
    if (number == next)
        pth_input_vec_push(&p->inputs,
                           (pth_input){.key = in->key,
                                       .bits = in->bits,
                                       .name = td_strdup(t->texts.at + in->text)});
    return number;
}

/* Most runs have the inputs of the run before, in the same order. */
static bool is_number_of(const pth *p, const trc_input *in, uint32_t number)
{
    return number < p->inputs.len && p->inputs.at[number].key == in->key &&
           p->inputs.at[number].bits == in->bits;
}

void pth_take(pth *p, const trc *t)
{
    size_t before = p->run_inputs.len;
    pth_shift_vec_clear(&p->shifts);
    exp_u32_vec_reserve(&p->run_inputs, t->inputs.len);
    p->run_inputs.len = t->inputs.len;
    for (size_t i = 0; i < t->inputs.len; i++) {
        const trc_input *in = &t->inputs.at[i];
        if (i >= before || !is_number_of(p, in, p->run_inputs.at[i]))
            p->run_inputs.at[i] = number_of(p, t, in);
    }
    exp_ref_vec_reserve(&p->refs, t->nodes.len);
    p->refs.len = t->nodes.len;
    if (t->nodes.len > 0)
        memset(p->refs.at, 0, t->nodes.len * sizeof *p->refs.at);
    TD_AUDIT(pth_valid(p, NULL, 0));
}

/* ---- nodes ---- */

static const uint8_t binary_ops[WIRE_SYM_N_OPS] = {
    [WIRE_SYM_ADD] = EXP_ADD,   [WIRE_SYM_SUB] = EXP_SUB,   [WIRE_SYM_MUL] = EXP_MUL,
    [WIRE_SYM_UDIV] = EXP_UDIV, [WIRE_SYM_SDIV] = EXP_SDIV, [WIRE_SYM_UREM] = EXP_UREM,
    [WIRE_SYM_SREM] = EXP_SREM, [WIRE_SYM_AND] = EXP_AND,   [WIRE_SYM_OR] = EXP_OR,
    [WIRE_SYM_XOR] = EXP_XOR,   [WIRE_SYM_SHL] = EXP_SHL,   [WIRE_SYM_LSHR] = EXP_LSHR,
    [WIRE_SYM_ASHR] = EXP_ASHR, [WIRE_SYM_EQ] = EXP_EQ,     [WIRE_SYM_NE] = EXP_NE,
    [WIRE_SYM_ULT] = EXP_ULT,   [WIRE_SYM_ULE] = EXP_ULE,   [WIRE_SYM_SLT] = EXP_SLT,
    [WIRE_SYM_SLE] = EXP_SLE,
};

static td_u128 immediate(const trc_node *n)
{
    return (td_u128)n->immediate[1] << 64 | n->immediate[0];
}

/* The operand, or the immediate where it is 0. */
static exp_ref operand(pth *p, uint32_t label, unsigned width, td_u128 value)
{
    return label ? p->refs.at[label] : exp_const(p->d, width, value);
}

/* Both operands are as wide as the one that is a node. */
static exp_ref binary(pth *p, const trc *t, const trc_node *n)
{
    unsigned width = t->nodes.at[n->a ? n->a : n->b].bits;
    exp_ref a = operand(p, n->a, width, immediate(n));
    exp_ref b = operand(p, n->b, width, immediate(n));
    return exp_binary(p->d, (exp_op)binary_ops[n->op], a, b);
}

static exp_ref concat(pth *p, const trc *t, const trc_node *n)
{
    unsigned high = n->a ? t->nodes.at[n->a].bits : n->bits - t->nodes.at[n->b].bits;
    exp_ref a = operand(p, n->a, high, immediate(n));
    exp_ref b = operand(p, n->b, n->bits - high, immediate(n));
    return exp_binary(p->d, EXP_CONCAT, a, b);
}

static exp_ref choice(pth *p, const trc_node *n)
{
    exp_ref then = operand(p, n->b, n->bits, n->immediate[0]);
    exp_ref otherwise = operand(p, n->c, n->bits, n->immediate[1]);
    return exp_ite(p->d, p->refs.at[n->a], then, otherwise);
}

/* Beyond the inputs that a graph can have they are their values. */
static exp_ref input(pth *p, const trc *t, const trc_node *n)
{
    uint32_t number = p->run_inputs.at[n->immediate[0]];
    if (number == UINT32_MAX)
        return exp_const(p->d, n->bits, t->inputs.at[n->immediate[0]].value);
    return exp_input(p->d, number, n->bits);
}

exp_ref pth_read(pth *p, td_id thread, uint64_t nth, unsigned bits)
{
    uint64_t words[4] = {thread.lo, thread.hi, nth, bits};
    td_id id = td_id_hash(words, sizeof words);
    uint32_t next = (uint32_t)p->inputs.len;
    TD_ASSERT(next < EXP_MAX_INPUTS);
    uint32_t number = pth_table_number(&p->input_numbers, id, next);
    if (number == next)
        pth_input_vec_push(&p->inputs, (pth_input){.key = id.lo,
                                                   .bits = (uint8_t)bits,
                                                   .name = td_strdup(""),
                                                   .is_read = true});
    return exp_input(p->d, number, bits);
}

void pth_read_shift(pth *p, uint32_t thread, uint64_t from, uint64_t to)
{
    pth_shift_vec_push(&p->shifts, (pth_shift){thread, from, to});
}

/* The last shift from the read or before it counts. */
static exp_ref read_of(pth *p, const trc *t, const trc_node *n)
{
    uint64_t thread = n->immediate[0], nth = n->immediate[1];
    size_t i = p->shifts.len;
    while (i > 0 &&
           (p->shifts.at[i - 1].thread != thread || p->shifts.at[i - 1].from > nth))
        i--;
    if (i > 0)
        nth += p->shifts.at[i - 1].to - p->shifts.at[i - 1].from;
    return pth_read(p, t->threads.at[thread].name, nth, n->bits);
}

static exp_ref unary(pth *p, const trc_node *n)
{
    exp_ref a = p->refs.at[n->a];
    switch (n->op) {
    case WIRE_SYM_ZEXT:
        return exp_zext(p->d, a, n->bits);
    case WIRE_SYM_SEXT:
        return exp_sext(p->d, a, n->bits);
    case WIRE_SYM_EXTRACT:
        return exp_extract(p->d, a, n->offset, n->bits);
    case WIRE_SYM_BSWAP:
        return exp_bswap(p->d, a);
    case WIRE_SYM_BITREV:
        return exp_bitreverse(p->d, a);
    case WIRE_SYM_CTPOP:
        return exp_ctpop(p->d, a);
    case WIRE_SYM_CTLZ:
        return exp_ctlz(p->d, a);
    default:
        TD_ASSERT(n->op == WIRE_SYM_CTTZ);
        return exp_cttz(p->d, a);
    }
}

/* The operands are made. */
static exp_ref build(pth *p, const trc *t, const trc_node *n)
{
    switch (n->op) {
    case WIRE_SYM_CONST:
        return exp_const(p->d, n->bits, immediate(n));
    case WIRE_SYM_INPUT:
        return input(p, t, n);
    case WIRE_SYM_READ:
        return read_of(p, t, n);
    case WIRE_SYM_CONCAT:
        return concat(p, t, n);
    case WIRE_SYM_ITE:
        return choice(p, n);
    default:
        return binary_ops[n->op] ? binary(p, t, n) : unary(p, n);
    }
}

/* What a node computes, from expressions instead of nodes. No padding: every byte counts. */
typedef struct recipe {
    uint32_t what; /* operation, width, offset */
    exp_ref a, b, c;
    uint64_t immediate[2];
} recipe;

/* build, or what it gave for such a node before. */
static exp_ref make(pth *p, const trc *t, const trc_node *n)
{
    if (n->op == WIRE_SYM_CONST || n->op == WIRE_SYM_INPUT || n->op == WIRE_SYM_READ)
        return build(p, t, n);
    recipe r = {.what = n->op | (uint32_t)n->bits << 8 | (uint32_t)n->offset << 16,
                .immediate = {n->immediate[0], n->immediate[1]}};
    r.a = n->a ? p->refs.at[n->a] : EXP_NONE;
    r.b = n->b ? p->refs.at[n->b] : EXP_NONE;
    r.c = n->c ? p->refs.at[n->c] : EXP_NONE;
    td_id id = td_id_hash(&r, sizeof r);
    uint32_t known = pth_table_get(&p->made, id);
    if (known != UINT32_MAX)
        return (exp_ref){known};
    exp_ref e = build(p, t, n);
    pth_table_number(&p->made, id, e.ix);
    return e;
}

static bool push_if_missing(pth *p, uint32_t label)
{
    if (label == 0 || p->refs.at[label].ix != 0)
        return false;
    exp_u32_vec_push(&p->stack, label);
    return true;
}

exp_ref pth_node(pth *p, const trc *t, uint32_t label)
{
    TD_ASSERT(label > 0 && label < p->refs.len && p->refs.len == t->nodes.len);
    exp_u32_vec_clear(&p->stack);
    push_if_missing(p, label);
    while (p->stack.len > 0) {
        uint32_t at = p->stack.at[p->stack.len - 1];
        const trc_node *n = &t->nodes.at[at];
        TD_DASSERT(n->a < at && n->b < at && n->c < at);
        bool waits = push_if_missing(p, n->a);
        waits |= push_if_missing(p, n->b);
        waits |= push_if_missing(p, n->c);
        if (waits)
            continue;
        if (p->refs.at[at].ix == 0)
            p->refs.at[at] = make(p, t, n);
        exp_u32_vec_pop(&p->stack);
    }
    return p->refs.at[label];
}
