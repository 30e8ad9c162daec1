/* SPDX-License-Identifier: Apache-2.0 */
/* Finding inline assembly, and replacing it by what it does; what can be said about the rest. */
#include "instrument/asm_lower.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

/* --- the text --- */

/* The text between two quotation marks, which starts at from; \XX is a byte. */
static char *unescape(const char *from, const char *to)
{
    char *out = td_alloc((size_t)(to - from) + 1), *at = out;
    while (from < to) {
        if (from[0] == '\\' && to - from >= 3) {
            char digits[3] = {from[1], from[2], 0};
            *at++ = (char)strtoul(digits, NULL, 16);
            from += 3;
        } else
            *at++ = *from++;
    }
    *at = '\0';
    return out;
}

static char *quote_before(char *text, char *end)
{
    while (end > text && *--end != '"')
        continue;
    return end;
}

/* Reads template and constraints, which LLVM-C hands out from version 18 on only: the printed
 * form ends with both, in quotation marks. False: it is of another syntax. */
static bool read_asm(LLVMValueRef value, ins_asm *a)
{
    char *printed = LLVMPrintValueToString(value);
    char *mark[4] = {0}, *end = printed + strlen(printed);
    for (int i = 3; i >= 0; i--)
        mark[i] = end = quote_before(printed, end);
    bool found = *mark[0] == '"' && mark[0] < mark[1];
    if (found) {
        char *text = unescape(mark[0] + 1, mark[1]);
        char *constraints = unescape(mark[2] + 1, mark[3]);
        *mark[0] = '\0';
        found = strstr(printed, "inteldialect") == NULL;
        ins_asm_read(a, text, constraints);
        a->is_readable = a->is_readable && found;
        td_free(text);
        td_free(constraints);
    }
    LLVMDisposeMessage(printed);
    return found;
}

/* --- operands --- */

/* What an indirect operand points to. */
static LLVMTypeRef pointee(const ins_lower *l, const ins_asm_operand *o)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
    LLVMAttributeRef is =
        LLVMGetCallSiteEnumAttribute(l->call, (LLVMAttributeIndex)o->argument + 1, kind);
    return is ? LLVMGetTypeAttributeValue(is) : NULL;
}

static LLVMTypeRef result_type(const ins_lower *l, const ins_asm_operand *o)
{
    LLVMTypeRef type = LLVMTypeOf(l->call);
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return o->result == 0 ? type : NULL;
    return (unsigned)o->result < LLVMCountStructElementTypes(type)
               ? LLVMStructGetTypeAtIndex(type, (unsigned)o->result)
               : NULL;
}

/* Bits of what is in memory: any type of a size that is one. */
static unsigned memory_bits(const ins_module *m, LLVMTypeRef type)
{
    unsigned long long bytes =
        type && LLVMTypeIsSized(type) ? LLVMStoreSizeOfType(m->layout, type) : 0;
    return bytes <= 16 ? (unsigned)bytes * 8 : 0;
}

static void measure(const ins_lower *l, ins_asm *a)
{
    unsigned n_args = LLVMGetNumArgOperands(l->call);
    for (unsigned i = 0; i < a->n_operands; i++) {
        ins_asm_operand *o = &a->operands[i];
        LLVMTypeRef type = NULL;
        if (o->result >= 0)
            type = result_type(l, o);
        else if ((unsigned)o->argument < n_args)
            type = LLVMTypeOf(LLVMGetOperand(l->call, (unsigned)o->argument));
        else
            a->is_readable = false;
        if (type && o->is_indirect)
            o->bits = memory_bits(l->m, pointee(l, o));
        else if (type)
            o->bits = ins_lower_bits(l->m, type);
    }
}

/* Reads the assembly of a call and decides about it. */
static enum ins_asm_verdict understand(ins_lower *l, ins_asm *a)
{
    if (!read_asm(LLVMGetCalledValue(l->call), a))
        a->is_readable = false;
    measure(l, a);
    if (!LLVMIsACallInst(l->call))
        a->has_labels = true;
    return ins_asm_decide(a);
}

/* --- results --- */

/* Replaces the uses that extract a result of the call. */
static void replace_parts(ins_lower *l, LLVMValueRef *parts)
{
    LLVMUseRef next, use = LLVMGetFirstUse(l->call);
    for (; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!LLVMIsAExtractValueInst(user) || LLVMGetNumIndices(user) != 1)
            continue;
        LLVMReplaceAllUsesWith(user, parts[LLVMGetIndices(user)[0]]);
        LLVMInstructionEraseFromParent(user);
    }
}

static void replace_call(ins_lower *l)
{
    LLVMValueRef parts[INS_ASM_OPERANDS_MAX] = {0};
    LLVMTypeRef type = LLVMTypeOf(l->call);
    unsigned n = 0;
    for (unsigned i = 0; i < l->a->n_operands; i++)
        if (l->a->operands[i].result >= 0)
            parts[n++] = ins_lower_output(l, i, result_type(l, &l->a->operands[i]));
    TD_ASSERT(n == (LLVMGetTypeKind(type) == LLVMStructTypeKind
                        ? LLVMCountStructElementTypes(type)
                        : LLVMGetTypeKind(type) != LLVMVoidTypeKind));
    if (n > 0 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
        replace_parts(l, parts);
        LLVMValueRef all = LLVMGetUndef(type);
        for (unsigned i = 0; i < n && LLVMGetFirstUse(l->call); i++)
            all = LLVMBuildInsertValue(l->b, all, parts[i], i, "");
        LLVMReplaceAllUsesWith(l->call, all);
    } else if (n > 0)
        LLVMReplaceAllUsesWith(l->call, parts[0]);
    LLVMInstructionEraseFromParent(l->call);
}

static void lower_call(ins_lower *l)
{
    LLVMPositionBuilderBefore(l->b, l->call);
    LLVMSetCurrentDebugLocation2(l->b, LLVMInstructionGetDebugLoc(l->call));
    ins_lower_steps(l);
    replace_call(l);
}

/* --- modules --- */

/* Enables cmpxchg16b, which the first processors lack, for the function that needs it. */
static void allow_pairs(const ins_module *m)
{
    static const char key[] = "target-features", pairs[] = "+cx16";
    LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f)) {
        td_text all = {0};
        unsigned length = 0;
        LLVMAttributeRef has =
            LLVMGetStringAttributeAtIndex(f, whole, key, sizeof key - 1);
        const char *before = has ? LLVMGetStringAttributeValue(has, &length) : "";
        if (LLVMIsDeclaration(f))
            continue;
        td_text_add(&all, "%.*s%s%s", (int)length, before, length ? "," : "", pairs);
        LLVMAddAttributeAtIndex(f, whole,
                                LLVMCreateStringAttribute(m->context, key, sizeof key - 1,
                                                          all.at, (unsigned)all.len));
        td_text_fini(&all);
    }
}

static bool has_wide_pair(const ins_asm *a)
{
    for (unsigned i = 0; i < a->n_steps; i++)
        if (a->steps[i].op == INS_ASM_CMPXCHG_PAIR && a->steps[i].bits == 64)
            return true;
    return false;
}

static bool is_asm_call(LLVMValueRef inst)
{
    return LLVMIsACallInst(inst) && LLVMIsAInlineAsm(LLVMGetCalledValue(inst));
}

/* True if there is now an exchange of 16 bytes. */
static bool lower_one(ins_module *m, LLVMValueRef call)
{
    ins_asm a;
    ins_lower l = {.m = m, .b = m->builder, .call = call, .a = &a};
    if (understand(&l, &a) != INS_ASM_ATOM)
        return false;
    lower_call(&l);
    return has_wide_pair(&a);
}

/* Beforehand, because instructions come and go meanwhile. */
static void collect(LLVMValueRef f, ins_value_vec *calls)
{
    LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f);
    for (; bb; bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef inst = LLVMGetFirstInstruction(bb);
        for (; inst; inst = LLVMGetNextInstruction(inst))
            if (is_asm_call(inst))
                ins_value_vec_push(calls, inst);
    }
}

static bool is_naked(LLVMValueRef f)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("naked", 5);
    return LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       kind) != NULL;
}

static bool is_x86_64(const ins_module *m)
{
    return strncmp(LLVMGetTarget(m->module), "x86_64", 6) == 0;
}

void ins_asm_lower(ins_module *m)
{
    bool has_pair = false;
    ins_value_vec calls = {0};
    LLVMValueRef f = is_x86_64(m) ? LLVMGetFirstFunction(m->module) : NULL;
    for (; f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !is_naked(f))
            collect(f, &calls);
    for (size_t i = 0; i < calls.len; i++)
        has_pair |= lower_one(m, calls.at[i]);
    if (has_pair)
        allow_pairs(m);
    ins_value_vec_fini(&calls);
}

/* --- what is left --- */

/* "assembly: rep movsb" */
static void name_it(const ins_asm *a, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "assembly");
    bool starts = true, blank = false;
    for (const char *s = a->text; *s && n + 3 < size; s++) {
        if (isspace((unsigned char)*s)) {
            blank = !starts;
            continue;
        }
        if (starts) {
            out[n++] = ':';
            out[n++] = ' ';
        } else if (blank)
            out[n++] = ' ';
        starts = blank = false;
        out[n++] = *s;
    }
    out[n] = '\0';
}

/* Adds the memory operands of a call, from its constraints. */
static void add_touches(const ins_lower *l, ins_asm_left *left)
{
    for (unsigned i = 0; i < l->a->n_operands; i++) {
        const ins_asm_operand *o = &l->a->operands[i];
        LLVMTypeRef type = o->is_indirect ? pointee(l, o) : NULL;
        if (!o->is_indirect || o->is_own)
            continue;
        if (!type || !LLVMTypeIsSized(type)) {
            left->is_unknown = true;
            continue;
        }
        left->touches[left->n_touches++] = (ins_asm_touch){
            .address = LLVMGetOperand(l->call, (unsigned)o->argument),
            .size = LLVMStoreSizeOfType(l->m->layout, type),
            .is_write = o->is_output,
        };
    }
}

/* The memory of the one locked step. */
static void set_atom(const ins_lower *l, ins_asm_left *left)
{
    for (unsigned i = 0; i < l->a->n_steps; i++) {
        const ins_asm_step *s = &l->a->steps[i];
        if (s->op != INS_ASM_NEG || !s->is_locked)
            continue;
        unsigned place = ins_asm_place(l->a, s->args[0].number);
        unsigned argument = (unsigned)l->a->operands[place].argument;
        left->atom = LLVMGetOperand(l->call, argument);
        left->atom_size = s->bits / 8;
    }
}

void ins_asm_look(ins_module *m, LLVMValueRef call, ins_asm_left *left)
{
    ins_asm a;
    ins_lower l = {.m = m, .b = m->builder, .call = call, .a = &a};
    *left = (ins_asm_left){0};
    enum ins_asm_verdict verdict = understand(&l, &a);
    name_it(&a, left->name, sizeof left->name);
    if (!is_x86_64(m)) {
        left->is_unknown = a.text[strspn(a.text, " \t\n;")] != 0;
        return;
    }
    left->is_refused = verdict == INS_ASM_REFUSE || verdict == INS_ASM_ATOM;
    if (verdict == INS_ASM_TOUCHES || verdict == INS_ASM_OPAQUE)
        add_touches(&l, left);
    if (verdict == INS_ASM_OPAQUE)
        set_atom(&l, left);
}
