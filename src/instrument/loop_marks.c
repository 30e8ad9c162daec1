/* SPDX-License-Identifier: Apache-2.0 */
/* Marks behind what changes the state of a thread and is not watched: else a loop that waits would
 * seem to come back to the same state (loops.c). */
#include "instrument/instrument_int.h"

#include <string.h>

#include "wire/api.h"

/* --- unrecorded writes --- */

/* What an instruction writes; size 0: an unknown number of bytes. */
typedef struct written {
    LLVMValueRef address; /* NULL: nothing */
    uint64_t size;
} written;

static written written_by(const ins_module *m, LLVMValueRef inst)
{
    static const char *const lists[] = {"va_start", "va_end", "va_copy"};
    if (LLVMIsAStoreInst(inst))
        return (
            written){LLVMGetOperand(inst, 1),
                     LLVMStoreSizeOfType(m->layout, LLVMTypeOf(LLVMGetOperand(inst, 0)))};
    if (ins_intrinsic_is(inst, lists, 3))
        return (written){LLVMGetOperand(inst, 0), 0};
    if (!ins_intrinsic_copies(inst))
        return (written){0};
    LLVMValueRef size = LLVMGetOperand(inst, 2);
    return (written){LLVMGetOperand(inst, 0),
                     LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0};
}

/* An assembler instruction that takes or gives something, or a look at a clock. */
static bool is_strange(LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    size_t length = 0;
    if (!callee)
        return false;
    if (LLVMIsAInlineAsm(callee))
        return LLVMGetNumArgOperands(inst) > 0 ||
               LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMVoidTypeKind;
    if (!LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee) == 0)
        return false;
    const char *name = LLVMGetValueName2(callee, &length);
    return strcmp(name, "llvm.readcyclecounter") == 0 ||
           strncmp(name, "llvm.x86.rdtsc", 14) == 0;
}

/* --- calls of the library ---
 *
 * What a function may change that is passed through must be known: output to the standard streams
 * changes nothing that the program can see. Any other stream may be in memory. */

typedef struct output {
    const char *name;
    int stream, format; /* which arguments; -1: none */
} output;

enum { NO_STREAM = -1 };

static const output outputs[] = {
    {"printf", NO_STREAM, 0},
    {"vprintf", NO_STREAM, 0},
    {"puts", NO_STREAM, -1},
    {"putchar", NO_STREAM, -1},
    {"putchar_unlocked", NO_STREAM, -1},
    {"perror", NO_STREAM, -1},
    {"fprintf", 0, 1},
    {"vfprintf", 0, 1},
    {"fflush", 0, -1},
    {"putc", 1, -1},
    {"fputc", 1, -1},
    {"fputs", 1, -1},
    {"putc_unlocked", 1, -1},
    {"fputc_unlocked", 1, -1},
    {"fputs_unlocked", 1, -1},
    {"fwrite", 3, -1},
    {"fwrite_unlocked", 3, -1},
    {"dprintf", 0, 1},
    {"write", 0, -1},
};

static bool is_standard(LLVMValueRef stream)
{
    size_t length = 0;
    if (LLVMIsAConstantInt(stream)) {
        uint64_t fd = LLVMConstIntGetZExtValue(stream);
        return fd == 1 || fd == 2;
    }
    LLVMValueRef from = LLVMIsALoadInst(stream) ? LLVMGetOperand(stream, 0) : NULL;
    if (!from || !LLVMIsAGlobalVariable(from))
        return false;
    const char *name = LLVMGetValueName2(from, &length);
    return strcmp(name, "stdout") == 0 || strcmp(name, "stderr") == 0;
}

/* True if a conversion of the text writes to memory, or the text is not known. */
static bool format_writes(LLVMValueRef format)
{
    size_t size = 0;
    bool is_text = LLVMIsAGlobalVariable(format) && LLVMIsGlobalConstant(format) &&
                   LLVMGetInitializer(format);
    LLVMValueRef value = is_text ? LLVMGetInitializer(format) : NULL;
    if (value && LLVMIsNull(value))
        return false;
    if (!value || !LLVMIsAConstantDataSequential(value) || !LLVMIsConstantString(value))
        return true;
    const char *p = LLVMGetAsString(value, &size), *end = p + size;
    while (p < end && *p) {
        if (*p++ != '%')
            continue;
        while (p < end && *p && strchr("#0- +'I123456789.*$hlLjztq", *p))
            p++;
        if (p < end && *p == 'n')
            return true;
        p += p < end && *p;
    }
    return false;
}

static bool output_changes(LLVMValueRef call, const char *name)
{
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        const output *o = &outputs[i];
        if (strcmp(o->name, name) != 0)
            continue;
        int n = (int)LLVMGetNumArgOperands(call);
        if (o->stream >= n || o->format >= n)
            return true;
        return (o->stream >= 0 &&
                !is_standard(LLVMGetOperand(call, (unsigned)o->stream))) ||
               (o->format >= 0 &&
                format_writes(LLVMGetOperand(call, (unsigned)o->format)));
    }
    return true;
}

static bool library_changes(const ins_module *m, LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    size_t length = 0;
    if (!callee || !LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
        return false;
    const char *was = ins_map_get(&m->renamed, callee);
    const char *name = was ? was : LLVMGetValueName2(callee, &length);
    if (ins_api_is_harmless(name))
        return true;
    return ins_api_known(name) == WIRE_KNOWN_OUTPUT && output_changes(inst, name);
}

/* --- marks --- */

/* Memory that is not watched, but kept from round to round: a thread's own, which any function
 * may write, or the frame's. */
static bool is_kept(const ins_module *m, LLVMValueRef address, bool in_loop,
                    ins_map *memo)
{
    LLVMValueRef base = ins_escape_base(address);
    bool is_frame = LLVMIsAAllocaInst(base) || LLVMIsAArgument(base);
    return (in_loop || !is_frame) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(address)) == 0 &&
           ins_escape_private(m, base, memo);
}

void ins_marks_block(ins_module *m, LLVMBasicBlockRef bb, bool in_loop, ins_map *memo)
{
    LLVMValueRef inst = LLVMGetFirstInstruction(bb);
    for (; inst; inst = LLVMGetNextInstruction(inst)) {
        written x = written_by(m, inst);
        if (is_strange(inst) || library_changes(m, inst) ||
            (x.address && x.size == 0 && is_kept(m, x.address, in_loop, memo)))
            ins_hook_changed(m, inst);
        else if (x.address && is_kept(m, x.address, in_loop, memo))
            ins_hook_kept(m, inst, x.address, x.size);
    }
}
