/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of inline assembly of x86-64, said in LLVM's own instructions: atomic ones where it is
 * atomic, so that everything that comes later knows what it does.
 *
 * The order is that of the machine: what is locked, and mfence, is sequentially consistent; a load
 * by mov acquires and a store releases; lfence acquires, sfence releases. */
#include "instrument/asm_lower.h"

#include "base/assert.h"

unsigned ins_lower_bits(const ins_module *m, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool fits = kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind ||
                kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind;
    unsigned long long bits = fits ? LLVMSizeOfTypeInBits(m->layout, type) : 0;
    return bits <= 64 ? (unsigned)bits : 0;
}

/* --- values --- */

static LLVMTypeRef int_type(const ins_lower *l, unsigned bits)
{
    return LLVMIntTypeInContext(l->m->context, bits);
}

static LLVMValueRef constant(const ins_lower *l, unsigned bits, uint64_t value)
{
    return LLVMConstInt(int_type(l, bits), value, 1);
}

/* A value as an integer of so many bits. */
static LLVMValueRef as_bits(ins_lower *l, LLVMValueRef v, unsigned bits)
{
    TD_ASSERT(v != NULL && bits > 0 && bits <= 128);
    LLVMTypeRef type = LLVMTypeOf(v);
    unsigned has = (unsigned)LLVMSizeOfTypeInBits(l->m->layout, type);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        v = LLVMBuildPtrToInt(l->b, v, l->m->i64, "");
    else if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        v = LLVMBuildBitCast(l->b, v, int_type(l, has), "");
    if (has == bits)
        return v;
    return has > bits ? LLVMBuildTrunc(l->b, v, int_type(l, bits), "")
                      : LLVMBuildZExt(l->b, v, int_type(l, bits), "");
}

static LLVMValueRef as_type(ins_lower *l, LLVMValueRef v, LLVMTypeRef type)
{
    unsigned bits = ins_lower_bits(l->m, type);
    if (LLVMTypeOf(v) == type)
        return v;
    v = as_bits(l, v, bits);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(l->b, v, type, "");
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind
               ? v
               : LLVMBuildBitCast(l->b, v, type, "");
}

/* --- registers --- */

static LLVMValueRef *cell_of_operand(ins_lower *l, unsigned i)
{
    unsigned place = ins_asm_place(l->a, i);
    int reg = l->a->operands[place].reg;
    TD_ASSERT(reg < INS_ASM_REGISTERS && place < INS_ASM_OPERANDS_MAX);
    return &l->cells[reg >= 0 ? (unsigned)reg : INS_ASM_REGISTERS + place];
}

static LLVMValueRef *cell_of(ins_lower *l, const ins_asm_arg *arg)
{
    TD_ASSERT(arg->where != INS_ASM_IMMEDIATE && arg->where != INS_ASM_NOWHERE);
    bool is_register =
        arg->where == INS_ASM_REGISTER || arg->where == INS_ASM_AT_REGISTER;
    return is_register ? &l->cells[arg->number] : cell_of_operand(l, arg->number);
}

static LLVMValueRef cell_get(ins_lower *l, LLVMValueRef *cell, unsigned bits)
{
    if (!*cell) /* whatever it holds, it holds the same until it is written */
        *cell = constant(l, 64, 0);
    return as_bits(l, *cell, bits);
}

/* A write of 8 or 16 bits keeps the others. */
static void cell_set(ins_lower *l, LLVMValueRef *cell, LLVMValueRef v, unsigned bits)
{
    if (bits < 32 && *cell &&
        LLVMSizeOfTypeInBits(l->m->layout, LLVMTypeOf(*cell)) > bits) {
        uint64_t low = (UINT64_C(1) << bits) - 1;
        LLVMValueRef rest = as_bits(l, *cell, 64);
        rest = LLVMBuildAnd(l->b, rest, constant(l, 64, ~low), "");
        v = LLVMBuildOr(l->b, rest, as_bits(l, v, 64), "");
    }
    *cell = v;
}

static void set_inputs(ins_lower *l)
{
    for (unsigned i = 0; i < l->a->n_operands; i++) {
        const ins_asm_operand *o = &l->a->operands[i];
        if (!o->is_output && !o->is_indirect)
            *cell_of_operand(l, i) = LLVMGetOperand(l->call, (unsigned)o->argument);
    }
}

/* --- memory --- */

static LLVMValueRef address_of(ins_lower *l, const ins_asm_arg *arg)
{
    TD_ASSERT(ins_asm_is_memory(l->a, arg));
    LLVMValueRef p;
    if (arg->where == INS_ASM_OPERAND) {
        unsigned place = ins_asm_place(l->a, arg->number);
        p = LLVMGetOperand(l->call, (unsigned)l->a->operands[place].argument);
    } else {
        LLVMValueRef *cell = cell_of(l, arg);
        p = *cell ? as_type(l, *cell, l->m->ptr) : LLVMConstNull(l->m->ptr);
    }
    if (arg->value == 0)
        return p;
    LLVMValueRef index = LLVMConstInt(l->m->i64, (uint64_t)arg->value, 1);
    return LLVMBuildGEP2(l->b, l->m->i8, p, &index, 1, "");
}

/* It orders as the machine does, which C has no word for. */
static void mark_atom(ins_lower *l, LLVMValueRef inst, LLVMAtomicOrdering order)
{
    LLVMMetadataRef node = LLVMMDNodeInContext2(l->m->context, NULL, 0);
    if (order != LLVMAtomicOrderingNotAtomic)
        LLVMSetMetadata(inst, l->m->asm_kind, LLVMMetadataAsValue(l->m->context, node));
}

static LLVMValueRef load(ins_lower *l, LLVMValueRef p, unsigned bits,
                         LLVMAtomicOrdering order)
{
    LLVMValueRef v = LLVMBuildLoad2(l->b, int_type(l, bits), p, "");
    LLVMSetAlignment(v, order == LLVMAtomicOrderingNotAtomic ? 1 : bits / 8);
    LLVMSetOrdering(v, order);
    mark_atom(l, v, order);
    return v;
}

static void store(ins_lower *l, LLVMValueRef p, LLVMValueRef v, unsigned bits,
                  LLVMAtomicOrdering order)
{
    LLVMValueRef inst = LLVMBuildStore(l->b, as_bits(l, v, bits), p);
    LLVMSetAlignment(inst, order == LLVMAtomicOrderingNotAtomic ? 1 : bits / 8);
    LLVMSetOrdering(inst, order);
    mark_atom(l, inst, order);
}

/* True if a mov of this argument is an access that other threads see as a whole. */
static bool is_atom(const ins_lower *l, const ins_asm_arg *arg)
{
    bool is_spare = arg->where == INS_ASM_OPERAND &&
                    l->a->operands[ins_asm_place(l->a, arg->number)].may_be_register;
    return l->movs_are_atomic && !is_spare;
}

static LLVMValueRef get(ins_lower *l, const ins_asm_arg *arg, unsigned bits)
{
    if (arg->where == INS_ASM_IMMEDIATE)
        return constant(l, bits, (uint64_t)arg->value);
    if (!ins_asm_is_memory(l->a, arg))
        return cell_get(l, cell_of(l, arg), bits);
    return load(l, address_of(l, arg), bits,
                is_atom(l, arg) ? LLVMAtomicOrderingAcquire
                                : LLVMAtomicOrderingNotAtomic);
}

static void put(ins_lower *l, const ins_asm_arg *arg, LLVMValueRef v, unsigned bits)
{
    if (!ins_asm_is_memory(l->a, arg))
        cell_set(l, cell_of(l, arg), v, bits);
    else
        store(l, address_of(l, arg), v, bits,
              is_atom(l, arg) ? LLVMAtomicOrderingRelease : LLVMAtomicOrderingNotAtomic);
}

/* --- read, modify, write --- */

static LLVMValueRef compute(ins_lower *l, enum ins_asm_op op, LLVMValueRef a,
                            LLVMValueRef b)
{
    switch (op) {
    case INS_ASM_XADD:
    case INS_ASM_ADD:
        return LLVMBuildAdd(l->b, a, b, "");
    case INS_ASM_SUB:
    case INS_ASM_CMP:
        return LLVMBuildSub(l->b, a, b, "");
    case INS_ASM_AND:
    case INS_ASM_TEST:
    case INS_ASM_BTR:
        return LLVMBuildAnd(l->b, a, b, "");
    case INS_ASM_OR:
    case INS_ASM_BTS:
        return LLVMBuildOr(l->b, a, b, "");
    case INS_ASM_XOR:
    case INS_ASM_BTC:
        return LLVMBuildXor(l->b, a, b, "");
    default:
        TD_ASSERT(op == INS_ASM_XCHG);
        return b;
    }
}

static LLVMAtomicRMWBinOp rmw_of(enum ins_asm_op op)
{
    switch (op) {
    case INS_ASM_XADD:
    case INS_ASM_ADD:
        return LLVMAtomicRMWBinOpAdd;
    case INS_ASM_SUB:
        return LLVMAtomicRMWBinOpSub;
    case INS_ASM_AND:
    case INS_ASM_BTR:
        return LLVMAtomicRMWBinOpAnd;
    case INS_ASM_OR:
    case INS_ASM_BTS:
        return LLVMAtomicRMWBinOpOr;
    case INS_ASM_XOR:
    case INS_ASM_BTC:
        return LLVMAtomicRMWBinOpXor;
    default:
        TD_ASSERT(op == INS_ASM_XCHG);
        return LLVMAtomicRMWBinOpXchg;
    }
}

/* The value at p becomes that of op with v; returns what was there. */
static LLVMValueRef modify_memory(ins_lower *l, const ins_asm_step *s, enum ins_asm_op op,
                                  LLVMValueRef p, LLVMValueRef v)
{
    if (s->is_locked)
        return LLVMBuildAtomicRMW(l->b, rmw_of(op), p, v,
                                  LLVMAtomicOrderingSequentiallyConsistent, 0);
    LLVMValueRef old = load(l, p, s->bits, LLVMAtomicOrderingNotAtomic);
    store(l, p, compute(l, op, old, v), s->bits, LLVMAtomicOrderingNotAtomic);
    return old;
}

static LLVMValueRef modify(ins_lower *l, const ins_asm_step *s, enum ins_asm_op op,
                           const ins_asm_arg *to, LLVMValueRef v)
{
    if (ins_asm_is_memory(l->a, to))
        return modify_memory(l, s, op, address_of(l, to), v);
    LLVMValueRef old = get(l, to, s->bits);
    put(l, to, compute(l, op, old, v), s->bits);
    return old;
}

/* --- flags --- */

static void set_flags(ins_lower *l, enum ins_asm_op op, LLVMValueRef a, LLVMValueRef b)
{
    l->flags = (ins_flags){.op = op, .a = a, .b = b, .r = compute(l, op, a, b)};
}

static LLVMValueRef zero_of(const ins_lower *l, LLVMValueRef v)
{
    return LLVMConstNull(LLVMTypeOf(v));
}

static LLVMValueRef flag_zero(ins_lower *l)
{
    const ins_flags *f = &l->flags;
    TD_ASSERT(f->zero != NULL || f->r != NULL); /* A2: a step has set it */
    return f->zero ? f->zero : LLVMBuildICmp(l->b, LLVMIntEQ, f->r, zero_of(l, f->r), "");
}

static LLVMValueRef flag_carry(ins_lower *l)
{
    const ins_flags *f = &l->flags;
    if (f->carry)
        return f->carry;
    if (f->op == INS_ASM_ADD || f->op == INS_ASM_XADD)
        return LLVMBuildICmp(l->b, LLVMIntULT, f->r, f->a, "");
    if (f->op == INS_ASM_SUB || f->op == INS_ASM_CMP)
        return LLVMBuildICmp(l->b, LLVMIntULT, f->a, f->b, "");
    return LLVMConstInt(LLVMInt1TypeInContext(l->m->context), 0, 0);
}

static LLVMValueRef flag_sign(ins_lower *l)
{
    TD_ASSERT(l->flags.r != NULL); /* A2 */
    return LLVMBuildICmp(l->b, LLVMIntSLT, l->flags.r, zero_of(l, l->flags.r), "");
}

/* The sign of the true result, one bit wider than r. */
static LLVMValueRef flag_less(ins_lower *l)
{
    const ins_flags *f = &l->flags;
    if (f->op == INS_ASM_SUB || f->op == INS_ASM_CMP)
        return LLVMBuildICmp(l->b, LLVMIntSLT, f->a, f->b, "");
    if (f->op != INS_ASM_ADD && f->op != INS_ASM_XADD)
        return flag_sign(l);
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(l->m->layout, LLVMTypeOf(f->a));
    LLVMTypeRef wide = int_type(l, 2 * bits);
    LLVMValueRef sum = LLVMBuildAdd(l->b, LLVMBuildSExt(l->b, f->a, wide, ""),
                                    LLVMBuildSExt(l->b, f->b, wide, ""), "");
    return LLVMBuildICmp(l->b, LLVMIntSLT, sum, LLVMConstNull(wide), "");
}

/* As a value of one bit. */
static LLVMValueRef flag(ins_lower *l, enum ins_asm_condition condition)
{
    TD_ASSERT(condition < INS_ASM_N_CONDITIONS);
    LLVMValueRef is = NULL;
    switch (condition & ~1u) {
    case INS_ASM_ZERO:
        is = flag_zero(l);
        break;
    case INS_ASM_CARRY:
        is = flag_carry(l);
        break;
    case INS_ASM_SIGN:
        is = flag_sign(l);
        break;
    case INS_ASM_BELOW_EQUAL:
        is = LLVMBuildOr(l->b, flag_carry(l), flag_zero(l), "");
        break;
    case INS_ASM_LESS:
        is = flag_less(l);
        break;
    default:
        is = LLVMBuildOr(l->b, flag_less(l), flag_zero(l), "");
        break;
    }
    return condition & 1u ? LLVMBuildNot(l->b, is, "") : is;
}

/* --- steps --- */

static void lower_binary(ins_lower *l, const ins_asm_step *s)
{
    LLVMValueRef v = get(l, &s->args[0], s->bits);
    bool compares = s->op == INS_ASM_CMP || s->op == INS_ASM_TEST;
    LLVMValueRef old =
        compares ? get(l, &s->args[1], s->bits) : modify(l, s, s->op, &s->args[1], v);
    set_flags(l, s->op, old, v);
}

static void lower_unary(ins_lower *l, const ins_asm_step *s)
{
    const ins_asm_arg *to = &s->args[0];
    if (s->op == INS_ASM_NOT) {
        modify(l, s, INS_ASM_XOR, to, constant(l, s->bits, UINT64_MAX));
        return;
    }
    if (s->op == INS_ASM_NEG) {
        TD_ASSERT(!s->is_locked || !ins_asm_is_memory(l->a, to)); /* by the verdict */
        LLVMValueRef old = get(l, to, s->bits);
        set_flags(l, INS_ASM_SUB, constant(l, s->bits, 0), old);
        put(l, to, l->flags.r, s->bits);
        return;
    }
    enum ins_asm_op op = s->op == INS_ASM_INC ? INS_ASM_ADD : INS_ASM_SUB;
    LLVMValueRef one = constant(l, s->bits, 1);
    set_flags(l, op, modify(l, s, op, to, one), one);
}

/* xchg, xadd: what was at the target goes where the other value came from. */
static void lower_exchange(ins_lower *l, const ins_asm_step *s)
{
    unsigned to = s->op == INS_ASM_XCHG && ins_asm_is_memory(l->a, &s->args[0]) ? 0 : 1;
    const ins_asm_arg *other = &s->args[!to];
    LLVMValueRef v = get(l, other, s->bits);
    LLVMValueRef old = modify(l, s, s->op, &s->args[to], v);
    put(l, other, old, s->bits);
    if (s->op == INS_ASM_XADD)
        set_flags(l, INS_ASM_XADD, old, v);
}

/* Compares p with expected and stores desired if they are equal; returns what was there. */
static LLVMValueRef compare_exchange(ins_lower *l, const ins_asm_step *s, LLVMValueRef p,
                                     LLVMValueRef expected, LLVMValueRef desired,
                                     LLVMValueRef *same)
{
    const LLVMAtomicOrdering seq_cst = LLVMAtomicOrderingSequentiallyConsistent;
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(l->m->layout, LLVMTypeOf(expected));
    if (s->is_locked) {
        LLVMValueRef both =
            LLVMBuildAtomicCmpXchg(l->b, p, expected, desired, seq_cst, seq_cst, 0);
        *same = LLVMBuildExtractValue(l->b, both, 1, "");
        return LLVMBuildExtractValue(l->b, both, 0, "");
    }
    LLVMValueRef old = load(l, p, bits, LLVMAtomicOrderingNotAtomic);
    *same = LLVMBuildICmp(l->b, LLVMIntEQ, old, expected, "");
    store(l, p, LLVMBuildSelect(l->b, *same, desired, old, ""), bits,
          LLVMAtomicOrderingNotAtomic);
    return old;
}

static void lower_cmpxchg(ins_lower *l, const ins_asm_step *s)
{
    LLVMValueRef *ax = &l->cells[INS_ASM_AX], same = NULL, old = NULL;
    LLVMValueRef expected = cell_get(l, ax, s->bits);
    LLVMValueRef desired = get(l, &s->args[0], s->bits);
    if (ins_asm_is_memory(l->a, &s->args[1]))
        old =
            compare_exchange(l, s, address_of(l, &s->args[1]), expected, desired, &same);
    else {
        old = get(l, &s->args[1], s->bits);
        same = LLVMBuildICmp(l->b, LLVMIntEQ, old, expected, "");
        put(l, &s->args[1], LLVMBuildSelect(l->b, same, desired, old, ""), s->bits);
    }
    set_flags(l, INS_ASM_CMP, expected, old);
    l->flags.zero = same;
    cell_set(l, ax, old, s->bits);
}

/* Two registers as one number. */
static LLVMValueRef pair(ins_lower *l, unsigned low, unsigned high, unsigned bits)
{
    LLVMValueRef a = as_bits(l, cell_get(l, &l->cells[low], bits), 2 * bits);
    LLVMValueRef b = as_bits(l, cell_get(l, &l->cells[high], bits), 2 * bits);
    return LLVMBuildOr(l->b, a, LLVMBuildShl(l->b, b, constant(l, 2 * bits, bits), ""),
                       "");
}

/* A comparison that would store what it compares with is a load. */
static void lower_pair(ins_lower *l, const ins_asm_step *s)
{
    TD_ASSERT(s->bits == 32 || s->bits == 64);
    LLVMValueRef *c = l->cells, p = address_of(l, &s->args[0]), old;
    bool loads = c[INS_ASM_AX] == c[INS_ASM_BX] && c[INS_ASM_DX] == c[INS_ASM_CX];
    LLVMValueRef expected = pair(l, INS_ASM_AX, INS_ASM_DX, s->bits);
    l->flags = (ins_flags){.op = INS_ASM_CMP};
    if (loads && s->is_locked) {
        old = load(l, p, 2 * s->bits, LLVMAtomicOrderingSequentiallyConsistent);
        l->flags.zero = LLVMBuildICmp(l->b, LLVMIntEQ, old, expected, "");
    } else
        old = compare_exchange(l, s, p, expected,
                               pair(l, INS_ASM_BX, INS_ASM_CX, s->bits), &l->flags.zero);
    LLVMValueRef high = LLVMBuildLShr(l->b, old, constant(l, 2 * s->bits, s->bits), "");
    c[INS_ASM_AX] = as_bits(l, old, s->bits);
    c[INS_ASM_DX] = as_bits(l, high, s->bits);
}

/* A bit that a register counts may be outside the word that is named. */
static LLVMValueRef bit_address(ins_lower *l, const ins_asm_step *s, LLVMValueRef which)
{
    LLVMValueRef p = address_of(l, &s->args[1]);
    if (s->args[0].where == INS_ASM_IMMEDIATE)
        return p;
    unsigned shift = s->bits == 64 ? 6 : s->bits == 32 ? 5 : 4;
    LLVMValueRef word = LLVMBuildAShr(l->b, which, constant(l, s->bits, shift), "");
    word = LLVMBuildSExt(l->b, word, l->m->i64, "");
    return LLVMBuildGEP2(l->b, int_type(l, s->bits), p, &word, 1, "");
}

static void lower_bit(ins_lower *l, const ins_asm_step *s)
{
    LLVMValueRef which = get(l, &s->args[0], s->bits), old;
    LLVMValueRef at = LLVMBuildAnd(l->b, which, constant(l, s->bits, s->bits - 1), "");
    LLVMValueRef mask = LLVMBuildShl(l->b, constant(l, s->bits, 1), at, "");
    LLVMValueRef v = s->op == INS_ASM_BTR ? LLVMBuildNot(l->b, mask, "") : mask;
    if (!ins_asm_is_memory(l->a, &s->args[1]))
        old = s->op == INS_ASM_BT ? get(l, &s->args[1], s->bits)
                                  : modify(l, s, s->op, &s->args[1], v);
    else if (s->op == INS_ASM_BT)
        old = load(l, bit_address(l, s, which), s->bits,
                   is_atom(l, &s->args[1]) ? LLVMAtomicOrderingAcquire
                                           : LLVMAtomicOrderingNotAtomic);
    else
        old = modify_memory(l, s, s->op, bit_address(l, s, which), v);
    LLVMValueRef bit = LLVMBuildAnd(l->b, old, mask, "");
    l->flags = (ins_flags){.op = s->op};
    l->flags.carry = LLVMBuildICmp(l->b, LLVMIntNE, bit, zero_of(l, bit), "");
}

static void lower_fence(ins_lower *l, LLVMAtomicOrdering order)
{
    LLVMBuildFence(l->b, order, 0, "");
}

static void lower_move(ins_lower *l, const ins_asm_step *s)
{
    unsigned from = s->op == INS_ASM_MOVZX ? s->from_bits : s->bits;
    put(l, &s->args[1], as_bits(l, get(l, &s->args[0], from), s->bits), s->bits);
}

static void lower_sbb(ins_lower *l, const ins_asm_step *s)
{
    LLVMValueRef carry = flag_carry(l);
    put(l, &s->args[1], LLVMBuildSExt(l->b, carry, int_type(l, s->bits), ""), s->bits);
    l->flags = (ins_flags){.op = INS_ASM_SBB, .carry = carry};
}

/* setcc writes a byte of the thread's own. */
static void lower_set(ins_lower *l, const ins_asm_step *s)
{
    const ins_asm_arg *to = &s->args[0];
    LLVMValueRef v = as_bits(l, flag(l, s->condition), 8);
    if (ins_asm_is_memory(l->a, to))
        store(l, address_of(l, to), v, 8, LLVMAtomicOrderingNotAtomic);
    else
        put(l, to, v, 8);
}

static void lower_step(ins_lower *l, const ins_asm_step *s)
{
    TD_ASSERT(s->op < INS_ASM_INERT); /* A2 */
    if (ins_asm_is_stack_fence(s)) {
        lower_fence(l, LLVMAtomicOrderingSequentiallyConsistent);
        return;
    }
    switch (s->op) {
    case INS_ASM_MOV:
    case INS_ASM_MOVZX:
        lower_move(l, s);
        break;
    case INS_ASM_XCHG:
    case INS_ASM_XADD:
        lower_exchange(l, s);
        break;
    case INS_ASM_INC:
    case INS_ASM_DEC:
    case INS_ASM_NEG:
    case INS_ASM_NOT:
        lower_unary(l, s);
        break;
    case INS_ASM_CMPXCHG:
        lower_cmpxchg(l, s);
        break;
    case INS_ASM_CMPXCHG_PAIR:
        lower_pair(l, s);
        break;
    case INS_ASM_BT:
    case INS_ASM_BTS:
    case INS_ASM_BTR:
    case INS_ASM_BTC:
        lower_bit(l, s);
        break;
    case INS_ASM_SBB:
        lower_sbb(l, s);
        break;
    case INS_ASM_SET:
        lower_set(l, s);
        break;
    case INS_ASM_MFENCE:
        lower_fence(l, LLVMAtomicOrderingSequentiallyConsistent);
        break;
    case INS_ASM_LFENCE:
        lower_fence(l, LLVMAtomicOrderingAcquire);
        break;
    case INS_ASM_SFENCE:
        lower_fence(l, LLVMAtomicOrderingRelease);
        break;
    case INS_ASM_IDLE:
        break;
    default:
        lower_binary(l, s);
        break;
    }
}

void ins_lower_steps(ins_lower *l)
{
    l->movs_are_atomic = ins_asm_movs_are_atomic(l->a);
    set_inputs(l);
    for (unsigned i = 0; i < l->a->n_steps; i++)
        lower_step(l, &l->a->steps[i]);
}

LLVMValueRef ins_lower_output(ins_lower *l, unsigned number, LLVMTypeRef type)
{
    const ins_asm_operand *o = &l->a->operands[number];
    if (o->is_flag)
        return as_type(l, flag(l, o->condition), type);
    LLVMValueRef *cell = cell_of_operand(l, number);
    return *cell ? as_type(l, *cell, type) : LLVMConstNull(type);
}
