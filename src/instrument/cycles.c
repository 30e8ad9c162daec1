/* SPDX-License-Identifier: Apache-2.0 */
/* The processor's counter of cycles is a clock: code that reads it calls the runtime (treadle_cycles,
 * which is then renamed). That is the intrinsics, and assembly that does nothing else. */
#include "instrument/instrument_int.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "base/assert.h"

/* --- assembly --- */

/* The words of a template that only reads the counter. */
static bool is_word(const char *word, size_t n)
{
    static const char *const words[] = {"rdtsc", "rdtscp", "lfence", "mfence"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == n && strncmp(words[i], word, n) == 0)
            return true;
    return false;
}

/* As LLVM prints it: \09 and \0A are bytes. */
static size_t separator(const char *at)
{
    if (strncmp(at, "\\09", 3) == 0 || strncmp(at, "\\0A", 3) == 0)
        return 3;
    return *at == ' ' || *at == ';' ? 1 : 0;
}

static bool only_reads(const char *at, const char *end)
{
    bool reads = false;
    while (at < end) {
        size_t skip = separator(at), n = 0;
        at += skip;
        if (skip)
            continue;
        while (at + n < end && !separator(at + n))
            n++;
        if (!is_word(at, n))
            return false;
        reads |= strncmp(at, "rdtsc", 5) == 0;
        at += n;
    }
    return reads;
}

/* Outputs in eax, edx, and ecx at most, which are its results in this order; no inputs. */
static bool gives_halves(const char *constraints)
{
    static const char *const outputs[] = {"={ax}", ",={dx}", ",={cx}"};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        size_t n = strlen(outputs[i]);
        if (strncmp(constraints, outputs[i], n) == 0)
            constraints += n;
        else if (i < 2)
            return false;
    }
    return *constraints == '"' || strncmp(constraints, ",~", 2) == 0;
}

static bool is_counter_asm(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAInlineAsm(callee) || LLVMGetNumArgOperands(call) > 0 ||
        LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMStructTypeKind)
        return false;
    char *printed = LLVMPrintValueToString(callee);
    char *start = strstr(printed, " \"");
    char *end = start ? strstr(start, "\", \"") : NULL;
    bool is_it = end && only_reads(start + 2, end) && gives_halves(end + 4);
    LLVMDisposeMessage(printed);
    return is_it;
}

/* --- intrinsics --- */

static bool is_counter_intrinsic(LLVMValueRef call)
{
    size_t length = 0;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee) == 0)
        return false;
    const char *name = LLVMGetValueName2(callee, &length);
    return strcmp(name, "llvm.readcyclecounter") == 0 ||
           strcmp(name, "llvm.x86.rdtsc") == 0 || strcmp(name, "llvm.x86.rdtscp") == 0;
}

/* --- both --- */

static LLVMValueRef ask(ins_module *m)
{
    static const char name[] = "treadle_cycles";
    LLVMTypeRef type = LLVMFunctionType(m->i64, NULL, 0, 0);
    LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
    if (!f)
        f = LLVMAddFunction(m->module, name, type);
    return LLVMBuildCall2(m->builder, type, f, NULL, 0, "cycles");
}

/* The i-th member of the result: halves in assembly, the whole of it else; then the processor. */
static LLVMValueRef member(ins_module *m, LLVMValueRef cycles, bool is_asm, unsigned i,
                           LLVMTypeRef type)
{
    TD_ASSERT(i < 3 && LLVMTypeOf(cycles) == m->i64);
    LLVMValueRef value = cycles;
    if (i == 1 && is_asm)
        value = LLVMBuildLShr(m->builder, cycles, LLVMConstInt(m->i64, 32, 0), "");
    if (is_asm && i < 2)
        value = LLVMBuildAnd(m->builder, value, LLVMConstInt(m->i64, UINT32_MAX, 0), "");
    if (i == (is_asm ? 2u : 1u))
        value = LLVMConstInt(m->i64, 0, 0);
    return LLVMBuildIntCast2(m->builder, value, type, 0, "");
}

static void lower(ins_module *m, LLVMValueRef call)
{
    bool is_asm = LLVMIsAInlineAsm(LLVMGetCalledValue(call)) != NULL;
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMPositionBuilderBefore(m->builder, call);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef result = ask(m);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
        LLVMValueRef cycles = result;
        result = LLVMGetUndef(type);
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
            LLVMTypeRef part = LLVMStructGetTypeAtIndex(type, i);
            result = LLVMBuildInsertValue(m->builder, result,
                                          member(m, cycles, is_asm, i, part), i, "");
        }
    }
    LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
}

static bool has_integers(LLVMValueRef call)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
        if (LLVMGetTypeKind(LLVMStructGetTypeAtIndex(type, i)) != LLVMIntegerTypeKind)
            return false;
    return true;
}

void ins_cycles_lower(ins_module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb;
             bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef inst = LLVMGetFirstInstruction(bb), next; inst;
                 inst = next) {
                next = LLVMGetNextInstruction(inst);
                if (LLVMIsACallInst(inst) && has_integers(inst) &&
                    (is_counter_asm(inst) || is_counter_intrinsic(inst)))
                    lower(m, inst);
            }
}
