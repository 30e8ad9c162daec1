/* SPDX-License-Identifier: Apache-2.0 */
/* What to do about inline assembly that was read: widths, kinds of arguments, the verdict. */
#include "instrument/asm.h"

#include <assert.h>
#include <string.h>

#include "base/assert.h"

unsigned ins_asm_place(const ins_asm *a, unsigned number)
{
    TD_ASSERT(number < a->n_operands);
    int tied = a->operands[number].tied;
    TD_ASSERT(tied < (int)a->n_operands);
    return tied >= 0 ? (unsigned)tied : number;
}

static const ins_asm_operand *operand_of(const ins_asm *a, const ins_asm_arg *arg)
{
    bool names_one = arg->where == INS_ASM_OPERAND || arg->where == INS_ASM_AT_OPERAND;
    return names_one && arg->number < a->n_operands
               ? &a->operands[ins_asm_place(a, arg->number)]
               : NULL;
}

bool ins_asm_is_memory(const ins_asm *a, const ins_asm_arg *arg)
{
    if (arg->where == INS_ASM_AT_OPERAND || arg->where == INS_ASM_AT_REGISTER)
        return true;
    const ins_asm_operand *o = operand_of(a, arg);
    return o && o->is_indirect;
}

/* --- flags --- */

/* The conditions that a step decides, a bit each; 0 leaves the flags as they are. */
static unsigned decides(const ins_asm_step *s)
{
    static_assert(INS_ASM_N_CONDITIONS % 2 == 0 && INS_ASM_N_CONDITIONS < 32,
                  "conditions and their negations, a bit each");
    const unsigned all = (1u << INS_ASM_N_CONDITIONS) - 1;
    const unsigned zero = 1u << INS_ASM_ZERO | 1u << INS_ASM_NOT_ZERO;
    const unsigned carry = 1u << INS_ASM_CARRY | 1u << INS_ASM_NOT_CARRY;
    switch (s->op) {
    case INS_ASM_XADD:
    case INS_ASM_ADD:
    case INS_ASM_SUB:
    case INS_ASM_AND:
    case INS_ASM_OR:
    case INS_ASM_XOR:
    case INS_ASM_CMP:
    case INS_ASM_TEST:
    case INS_ASM_CMPXCHG:
        return all;
    case INS_ASM_INC:
    case INS_ASM_DEC:
    case INS_ASM_NEG:
        return zero | 1u << INS_ASM_SIGN | 1u << INS_ASM_NOT_SIGN;
    case INS_ASM_CMPXCHG_PAIR:
        return zero;
    case INS_ASM_BT:
    case INS_ASM_BTS:
    case INS_ASM_BTR:
    case INS_ASM_BTC:
    case INS_ASM_SBB:
        return carry;
    default:
        return 0;
    }
}

/* Every condition is one that the last step that sets flags decides. */
static bool conditions_hold(const ins_asm *a)
{
    unsigned known = 0;
    for (unsigned i = 0; i < a->n_steps; i++) {
        const ins_asm_step *s = &a->steps[i];
        bool asks_carry = s->op == INS_ASM_SBB;
        if (s->op == INS_ASM_SET && !(known & 1u << s->condition))
            return false;
        if (asks_carry && !(known & 1u << INS_ASM_CARRY))
            return false;
        known = decides(s) ? decides(s) : known;
    }
    for (unsigned i = 0; i < a->n_operands; i++)
        if (a->operands[i].is_flag && (a->operands[i].condition == INS_ASM_N_CONDITIONS ||
                                       !(known & 1u << a->operands[i].condition)))
            return false;
    return true;
}

/* --- widths --- */

/* Returns the width that an argument implies; 0: none. */
static unsigned width_by_register(const ins_asm *a, const ins_asm_arg *arg)
{
    const ins_asm_operand *o = operand_of(a, arg);
    if (arg->where == INS_ASM_REGISTER)
        return arg->bits;
    if (arg->where != INS_ASM_OPERAND || !o || o->is_indirect)
        return 0;
    return arg->bits ? arg->bits : a->operands[arg->number].bits;
}

static unsigned width_by_memory(const ins_asm *a, const ins_asm_arg *arg)
{
    const ins_asm_operand *o = operand_of(a, arg);
    return arg->where == INS_ASM_OPERAND && o && o->is_indirect ? o->bits : 0;
}

static unsigned width_of(const ins_asm *a, const ins_asm_step *s)
{
    unsigned bits = s->bits;
    for (unsigned i = s->n_args; bits == 0 && i > 0; i--)
        bits = width_by_register(a, &s->args[i - 1]);
    for (unsigned i = s->n_args; bits == 0 && i > 0; i--)
        bits = width_by_memory(a, &s->args[i - 1]);
    return bits;
}

/* --- arguments --- */

/* An argument that a value can be taken from. */
static bool is_usable(const ins_asm *a, const ins_asm_arg *arg)
{
    if (arg->where == INS_ASM_NOWHERE || arg->where == INS_ASM_THREADS_OWN ||
        arg->where == INS_ASM_NOT_UNDERSTOOD || arg->is_high)
        return false;
    if (arg->where != INS_ASM_OPERAND && arg->where != INS_ASM_AT_OPERAND)
        return true;
    const ins_asm_operand *o = operand_of(a, arg);
    if (!o || o->is_flag || o->is_strange || a->operands[arg->number].bits == 0)
        return false;
    bool is_address = arg->where == INS_ASM_AT_OPERAND;
    bool is_displaced = arg->where == INS_ASM_OPERAND && arg->value != 0;
    return (!is_address || (!o->is_indirect && o->bits == 64)) &&
           (!is_displaced || o->is_indirect);
}

static bool is_same_place(const ins_asm *a, const ins_asm_arg *x, const ins_asm_arg *y)
{
    if (x->where != y->where)
        return false;
    return x->where == INS_ASM_OPERAND
               ? ins_asm_place(a, x->number) == ins_asm_place(a, y->number)
               : x->where == INS_ASM_REGISTER && x->number == y->number;
}

static bool is_idle(const ins_asm_step *s)
{
    return s->op == INS_ASM_IDLE || s->op == INS_ASM_MFENCE || s->op == INS_ASM_LFENCE ||
           s->op == INS_ASM_SFENCE;
}

/* True if a step has arguments of its kind. The target is the last. */
static bool fits(const ins_asm *a, const ins_asm_step *s)
{
    const ins_asm_arg *from = &s->args[0], *to = &s->args[s->n_args ? s->n_args - 1 : 0];
    unsigned n_memory = 0;
    for (unsigned i = 0; i < s->n_args; i++) {
        if (!is_usable(a, &s->args[i]))
            return false;
        n_memory += ins_asm_is_memory(a, &s->args[i]);
    }
    bool compares = s->op == INS_ASM_CMP || s->op == INS_ASM_TEST;
    if (n_memory > 1 || (to->where == INS_ASM_IMMEDIATE && !compares))
        return false;
    bool to_memory = ins_asm_is_memory(a, to);
    switch (s->op) {
    case INS_ASM_XCHG:
        return from->where != INS_ASM_IMMEDIATE;
    case INS_ASM_XADD:
    case INS_ASM_CMPXCHG:
        return from->where != INS_ASM_IMMEDIATE && !ins_asm_is_memory(a, from);
    case INS_ASM_CMPXCHG_PAIR:
        return to_memory;
    case INS_ASM_SBB:
        return is_same_place(a, from, to);
    default:
        return !s->is_locked || to_memory;
    }
}

static bool is_width(unsigned bits)
{
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/* Completes a step, or makes it one that is not known. */
static void settle(const ins_asm *a, ins_asm_step *s)
{
    if (s->op >= INS_ASM_INERT || is_idle(s))
        return;
    bool is_own = s->args[0].where == INS_ASM_THREADS_OWN ||
                  s->args[1].where == INS_ASM_THREADS_OWN;
    if (is_own && !s->is_locked) {
        s->op = INS_ASM_INERT;
        return;
    }
    s->bits = width_of(a, s);
    if (!is_width(s->bits) || !fits(a, s))
        s->op = INS_ASM_UNKNOWN;
}

bool ins_asm_is_stack_fence(const ins_asm_step *s)
{
    bool changes_nothing = (s->op == INS_ASM_ADD || s->op == INS_ASM_OR ||
                            s->op == INS_ASM_SUB || s->op == INS_ASM_XOR) &&
                           s->args[0].where == INS_ASM_IMMEDIATE && s->args[0].value == 0;
    return s->is_locked && changes_nothing && s->args[1].where == INS_ASM_AT_REGISTER &&
           s->args[1].number == INS_ASM_SP;
}

/* --- the verdict --- */

static bool touches(const ins_asm *a, const ins_asm_step *s)
{
    for (unsigned i = 0; i < s->n_args && s->op != INS_ASM_IDLE; i++)
        if (ins_asm_is_memory(a, &s->args[i]))
            return true;
    return false;
}

/* True if the operand is in memory only because no register was chosen. */
static bool is_spare(const ins_asm *a, const ins_asm_step *s)
{
    const ins_asm_operand *o = s->n_args ? operand_of(a, &s->args[s->n_args - 1]) : NULL;
    return s->op == INS_ASM_SET && o && o->may_be_register;
}

static bool is_fence(const ins_asm_step *s)
{
    return s->op == INS_ASM_MFENCE || s->op == INS_ASM_LFENCE ||
           s->op == INS_ASM_SFENCE || ins_asm_is_stack_fence(s);
}

bool ins_asm_movs_are_atomic(const ins_asm *a)
{
    for (unsigned i = 0; i < a->n_steps; i++) {
        const ins_asm_step *s = &a->steps[i];
        if (s->is_locked && touches(a, s) && !is_fence(s))
            return false;
    }
    return true;
}

/* A step reaches memory that no operand names. */
static bool reaches_out(const ins_asm *a, const ins_asm_step *s)
{
    TD_ASSERT((size_t)s->at + s->len < sizeof a->text);
    const char *text = a->text + s->at;
    if (s->op == INS_ASM_IDLE || (s->op == INS_ASM_INERT && strncmp(text, "lea", 3) == 0))
        return false;
    for (unsigned i = 0; i + 1 < s->len; i++)
        if (text[i] == '(' &&
            (text[i + 1] == '%' || text[i + 1] == '$' || text[i + 1] == ','))
            return true;
    return false;
}

/* True if a step names the operand so. */
static bool is_named(const ins_asm *a, unsigned operand, bool as_offset)
{
    for (unsigned i = 0; i < a->n_steps; i++) {
        const ins_asm_step *s = &a->steps[i];
        for (unsigned k = 0; k < s->n_args; k++) {
            const ins_asm_arg *arg = &s->args[k];
            bool is_offset = arg->where == INS_ASM_THREADS_OWN && arg->is_offset;
            bool names = is_offset || arg->where == INS_ASM_OPERAND ||
                         arg->where == INS_ASM_AT_OPERAND;
            if (arg->where == INS_ASM_NOT_UNDERSTOOD && !as_offset)
                return true; /* it may */
            if (names && arg->number < a->n_operands && is_offset == as_offset &&
                ins_asm_place(a, arg->number) == operand)
                return true;
        }
    }
    return false;
}

/* movq %fs:$1, $0 with $1 in memory: the address of $1 is an offset, and nothing is accessed there. */
static void find_own(ins_asm *a)
{
    for (unsigned i = 0; i < a->n_operands; i++) {
        ins_asm_operand *o = &a->operands[i];
        o->is_own = o->is_indirect && is_named(a, i, true) && !is_named(a, i, false);
    }
}

static bool has_indirect(const ins_asm *a)
{
    for (unsigned i = 0; i < a->n_operands; i++)
        if (a->operands[i].is_indirect && !a->operands[i].is_own)
            return true;
    return false;
}

/* Decides for assembly that the steps do not describe completely. */
static enum ins_asm_verdict decide_unknown(const ins_asm *a)
{
    if (a->has_memory_clobber)
        return INS_ASM_REFUSE;
    for (unsigned i = 0; i < a->n_steps; i++)
        if (a->steps[i].is_locked || reaches_out(a, &a->steps[i]))
            return INS_ASM_REFUSE;
    if (has_indirect(a))
        return a->is_readable ? INS_ASM_TOUCHES : INS_ASM_REFUSE;
    return INS_ASM_LEAVE;
}

/* How many steps are so. */
typedef struct tally {
    unsigned n_unknown, n_inert, n_touch, n_fence, n_negated, n_hidden;
} tally;

static tally count(const ins_asm *a)
{
    tally n = {0};
    for (unsigned i = 0; i < a->n_steps; i++) {
        const ins_asm_step *s = &a->steps[i];
        bool touch = touches(a, s) && !is_fence(s) && !is_spare(a, s);
        n.n_unknown += s->op == INS_ASM_UNKNOWN;
        n.n_inert += s->op == INS_ASM_INERT;
        n.n_touch += touch;
        n.n_fence += is_fence(s);
        n.n_negated += touch && s->is_locked && s->op == INS_ASM_NEG;
        n.n_hidden += touch && (s->args[0].where != INS_ASM_OPERAND || s->args[0].value);
    }
    return n;
}

/* Every result is one that a register or a flag can give. */
static bool results_fit(const ins_asm *a)
{
    for (unsigned i = 0; i < a->n_operands; i++) {
        const ins_asm_operand *o = &a->operands[i];
        bool is_indirect_tie = o->tied >= 0 && a->operands[o->tied].is_indirect;
        if (o->is_strange || is_indirect_tie || (!o->is_indirect && o->bits == 0))
            return false;
    }
    return conditions_hold(a);
}

enum ins_asm_verdict ins_asm_decide(ins_asm *a)
{
    for (unsigned i = 0; i < a->n_steps; i++) {
        settle(a, &a->steps[i]);
        if (a->steps[i].op == INS_ASM_LEAVES)
            return INS_ASM_REFUSE;
    }
    tally n = count(a);
    if (!a->is_readable || n.n_unknown)
        return decide_unknown(a);
    find_own(a);
    if (n.n_touch == 0 && (n.n_fence == 0 || n.n_inert))
        return n.n_inert && has_indirect(a) ? decide_unknown(a) : INS_ASM_LEAVE;
    if (n.n_inert || a->has_labels || !results_fit(a))
        return decide_unknown(a);
    if (n.n_negated)
        return n.n_touch == 1 && !n.n_hidden ? INS_ASM_OPAQUE : INS_ASM_REFUSE;
    return INS_ASM_ATOM;
}
