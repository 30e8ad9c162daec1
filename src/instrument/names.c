/* SPDX-License-Identifier: Apache-2.0 */
/* What a programmer calls the object that an instruction accesses: "balance", "q->head",
 * "fork_[]". Names are worked out before sroa, when every local variable is an alloca
 * that debug information declares, and kept as metadata on the instruction. */
#include "instrument/instrument_int.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "instrument/llvm_versions.h"

#define TEXT_BYTES 120
#define DEPTH_MAX 12  /* loads, members and indices in one name */
#define LABELS_MAX 16 /* labels of one instruction */

/* Operands of DISubprogram. */
enum { SUBPROGRAM_SCOPE = 1, SUBPROGRAM_NAME = 2, SUBPROGRAM_TYPE = 4 };

/* A place in memory on its way to a name. */
typedef struct place {
    char text[TEXT_BYTES]; /* "" if unknown */
    size_t decayed; /* text up to here is the array of which it is element 0; 0 no */
    LLVMMetadataRef type; /* type of the object, NULL if unknown */
    unsigned dim;         /* dimensions of the array already indexed */
    bool through;         /* text names a pointer to the place */
} place;

typedef struct namer {
    ins_module *m;
    ins_map variables; /* alloca, argument or global -> debug information variable */
} namer;

static void append(place *p, const char *format, const char *text)
{
    size_t used = strlen(p->text);
    snprintf(p->text + used, sizeof p->text - used, format, text);
}

/* Puts the text in front; a name that does not fit is cut. */
static void prepend(place *p, const char *front, const char *back)
{
    char old[TEXT_BYTES];
    memcpy(old, p->text, sizeof old);
    snprintf(p->text, sizeof p->text, "%s%.100s%s", front, old, back);
}

/* A postfix operator follows: "*p" becomes "(*p)". */
static void make_postfix(place *p)
{
    if (p->text[0] == '*')
        prepend(p, "(", ")");
}

/* Members of a class without a name, from inside: what a lambda captures is called as it is outside. */
static bool is_capture(const ins_module *m, const place *p)
{
    size_t length = 0;
    LLVMMetadataRef type = ins_di_strip(m, p->type);
    if (!p->through || strcmp(p->text, "this") != 0 || !ins_di_is_record(m, type))
        return false;
    (void)LLVMDITypeGetName(type, &length);
    return length == 0;
}

static void enter_member(const ins_module *m, place *p, LLVMMetadataRef member)
{
    size_t length = 0;
    const char *name = LLVMDITypeGetName(member, &length);
    if (length > 0 && is_capture(m, p)) {
        p->text[0] = 0;
        append(p, "%s", name);
        p->through = false;
        length = 0;
    }
    p->type = ins_di_member_type(m, member);
    p->dim = 0;
    p->decayed = 0;
    if (length == 0 || p->text[0] == 0) /* an anonymous struct or union */
        return;
    make_postfix(p);
    append(p, p->through ? "->%s" : ".%s", name);
    p->through = false;
}

/* Index of the array that p is, or of the array that p points into. */
static void add_index(place *p, LLVMValueRef index)
{
    char text[32] = "[]";
    if (LLVMIsAConstantInt(index))
        snprintf(text, sizeof text, "[%lld]", LLVMConstIntGetSExtValue(index));
    if (p->text[0] == 0)
        return;
    make_postfix(p);
    append(p, "%s", text);
    p->through = false;
}

static void enter_element(const ins_module *m, place *p, LLVMValueRef index)
{
    LLVMMetadataRef array = ins_di_strip(m, p->type);
    p->decayed = 0;
    if (LLVMIsAConstantInt(index) && LLVMConstIntGetSExtValue(index) == 0)
        p->decayed = strlen(p->text);
    add_index(p, index);
    if (!ins_di_is_array(m, array)) {
        p->type = NULL;
        return;
    }
    if (++p->dim >= ins_di_n_dims(m, array)) {
        p->type = ins_di_element(m, array);
        p->dim = 0;
    }
}

/* The address plus a number of objects: p[i]. */
static void move_by(place *p, LLVMValueRef index)
{
    if (LLVMIsAConstantInt(index) && LLVMConstIntGetSExtValue(index) == 0)
        return;
    if (p->decayed) {
        p->text[p->decayed] = 0;
        p->decayed = 0;
        add_index(p, index);
    } else if (p->through)
        add_index(p, index);
    else
        p->type = NULL;
}

/* The address plus a number of bytes, inside a record. */
static void move_bytes(const ins_module *m, place *p, uint64_t offset)
{
    for (int depth = 0; depth < DEPTH_MAX; depth++) {
        LLVMMetadataRef type = ins_di_strip(m, p->type);
        if (ins_di_is_record(m, type)) {
            LLVMMetadataRef member = ins_di_member(m, type, offset, 0);
            if (member == NULL)
                return;
            offset -= LLVMDITypeGetOffsetInBits(member) / 8;
            enter_member(m, p, member);
        } else if (ins_di_is_array(m, type) && ins_di_n_dims(m, type) == 1) {
            uint64_t size = ins_di_size(ins_di_strip(m, ins_di_element(m, type)));
            if (size == 0)
                return;
            enter_element(m, p, LLVMConstInt(m->i64, offset / size, 0));
            offset %= size;
        } else
            return;
    }
}

static bool is_opcode(LLVMValueRef v, LLVMOpcode opcode)
{
    if (LLVMIsAInstruction(v))
        return LLVMGetInstructionOpcode(v) == opcode;
    return LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == opcode;
}

/* The address is used as that of a smaller object: the first one of an array. */
static void enter_array(const ins_module *m, place *p, uint64_t size)
{
    for (int depth = 0; depth < DEPTH_MAX; depth++) {
        LLVMMetadataRef type = ins_di_strip(m, p->type);
        if (!ins_di_is_array(m, type) || p->dim > 0 || ins_di_size(type) <= size)
            return;
        for (unsigned i = ins_di_n_dims(m, type); i > 0; i--)
            enter_element(m, p, LLVMConstInt(m->i64, 0, 0));
    }
}

static void follow_indices(const ins_module *m, place *p, LLVMValueRef gep)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
        enter_array(m, p, LLVMABISizeOfType(m->layout, type));
    LLVMValueRef first = LLVMGetOperand(gep, 1);
    unsigned n = (unsigned)LLVMGetNumOperands(gep);
    if (type == m->i8 && LLVMIsAConstantInt(first) &&
        ins_di_size(ins_di_strip(m, p->type)) > 1)
        move_bytes(m, p, LLVMConstIntGetZExtValue(first));
    else
        move_by(p, first);
    for (unsigned i = 2; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            uint64_t offset = LLVMOffsetOfElement(m->layout, type, field);
            LLVMMetadataRef record = ins_di_strip(m, p->type);
            type = LLVMStructGetTypeAtIndex(type, field);
            uint64_t size = LLVMABISizeOfType(m->layout, type);
            LLVMMetadataRef member = ins_di_is_record(m, record)
                                         ? ins_di_member(m, record, offset, size)
                                         : NULL;
            if (member)
                enter_member(m, p, member);
            else
                p->type = NULL;
        } else {
            type = LLVMGetElementType(type);
            enter_element(m, p, index);
        }
    }
}

/* The record or array at p is accessed as one scalar: its first part is meant. */
static void enter_first(const ins_module *m, place *p, uint64_t size)
{
    for (int depth = 0; depth < DEPTH_MAX; depth++) {
        LLVMMetadataRef type = ins_di_strip(m, p->type);
        LLVMMetadataRef member = NULL;
        if (ins_di_is_record(m, type))
            member = ins_di_member(m, type, 0, size);
        if (member)
            enter_member(m, p, member);
        else if (ins_di_is_array(m, type))
            enter_element(m, p, LLVMConstInt(m->i64, 0, 0));
        else
            return;
    }
}

static bool find_place(namer *n, LLVMValueRef address, place *p, int depth);

/* What a pointer or reference named by the text is one to; its type may be NULL. */
static void enter_pointee(const ins_module *m, place *p, LLVMMetadataRef type)
{
    p->through = !ins_llvm_is_reference(ins_di_strip(m, type));
    p->type = ins_di_pointee(m, type);
    p->dim = 0;
    p->decayed = 0;
}

/* The place that a pointer loaded from memory points to. */
static bool place_of_load(namer *n, LLVMValueRef load, place *p, int depth)
{
    if (!find_place(n, LLVMGetOperand(load, 0), p, depth))
        return false;
    enter_first(n->m, p, sizeof(void *));
    if (p->through)
        prepend(p, "*", "");
    enter_pointee(n->m, p, p->type);
    return true;
}

/* What a function returns, NULL: nothing, or it is not known. */
static LLVMMetadataRef result_type(const ins_module *m, LLVMValueRef callee)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(callee);
    if (subprogram == NULL)
        return NULL;
    LLVMMetadataRef type = ins_di_operand(m, subprogram, SUBPROGRAM_TYPE);
    LLVMMetadataRef list = ins_di_signature(m, type);
    return list ? ins_di_operand(m, list, 0) : NULL;
}

static bool is_method(const ins_module *m, LLVMValueRef callee)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(callee);
    LLVMMetadataRef scope =
        subprogram ? ins_di_operand(m, subprogram, SUBPROGRAM_SCOPE) : NULL;
    return scope && LLVMGetMetadataKind(scope) == LLVMDICompositeTypeMetadataKind;
}

/* Writes an argument as in the source: the name of a variable, or a number. */
static void put_argument(namer *n, LLVMValueRef value, int depth, td_text *out)
{
    place p = {0};
    if (LLVMIsAConstantInt(value))
        td_text_add(out, "%lld", LLVMConstIntGetSExtValue(value));
    while (LLVMIsASExtInst(value) || LLVMIsAZExtInst(value))
        value = LLVMGetOperand(value, 0);
    if (LLVMIsALoadInst(value) && find_place(n, LLVMGetOperand(value, 0), &p, depth) &&
        !p.through)
        td_text_add(out, "%s", p.text);
}

/* "v[3]" of v.operator[](3), "p" of p.operator->(), "v.front()". The text of the object is in p. */
static void put_method(namer *n, LLVMValueRef call, place *p, int depth)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name = ins_di_string(n->m, LLVMGetSubprogram(callee), SUBPROGRAM_NAME);
    td_text argument = {0};
    if (LLVMGetNumArgOperands(call) > 1)
        put_argument(n, LLVMGetOperand(call, 1), depth, &argument);
    const char *words = argument.len > 0 ? argument.at : "";
    bool is_pointer = strcmp(name, "operator->") == 0 || strcmp(name, "operator*") == 0;
    if (is_pointer && p->through)
        prepend(p, "*", "");
    else if (strcmp(name, "operator[]") == 0) {
        if (p->through)
            prepend(p, "(*", ")");
        append(p, "[%s]", words);
    } else if (!is_pointer) {
        make_postfix(p);
        append(p, p->through ? "->%s" : ".%s", name);
        append(p, "(%s)", words);
    }
    td_text_fini(&argument);
    LLVMMetadataRef result = result_type(n->m, callee);
    enter_pointee(n->m, p, result);
    if (is_pointer)
        p->through = true;
}

static bool place_of_call(namer *n, LLVMValueRef call, place *p, int depth)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length = 0;
    const char *name = callee ? LLVMGetValueName2(callee, &length) : "";
    if (strncmp(name, "llvm.threadlocal.address", 24) == 0)
        return find_place(n, LLVMGetOperand(call, 0), p, depth);
    if (length == 0 || !LLVMIsAFunction(callee) || strncmp(name, "llvm.", 5) == 0)
        return false;
    bool has_object =
        LLVMGetNumArgOperands(call) > 0 && is_method(n->m, callee) &&
        LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind &&
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 0))) == LLVMPointerTypeKind;
    if (has_object && find_place(n, LLVMGetOperand(call, 0), p, depth) && p->text[0]) {
        put_method(n, call, p, depth);
        return true;
    }
    *p = (place){0};
    append(p, "%s()", name);
    p->through = true;
    return true;
}

static bool place_of_variable(namer *n, LLVMValueRef base, place *p)
{
    LLVMMetadataRef variable = ins_map_get(&n->variables, base);
    size_t length = 0;
    const char *name = variable ? ins_di_variable_name(n->m, variable) : "";
    if (variable)
        p->type = ins_di_variable_type(n->m, variable);
    if (name[0] == 0 && (LLVMIsAGlobalVariable(base) || LLVMIsAFunction(base)))
        name = LLVMGetValueName2(base, &length);
    append(p, "%s", name[0] == 1 ? name + 1 : name);
    return p->text[0] != 0;
}

/* The place an address denotes; false if it has no name. */
static bool find_place(namer *n, LLVMValueRef address, place *p, int depth)
{
    if (depth > DEPTH_MAX)
        return false;
    if (is_opcode(address, LLVMGetElementPtr)) {
        if (!find_place(n, LLVMGetOperand(address, 0), p, depth + 1))
            return false;
        follow_indices(n->m, p, address);
        return true;
    }
    if (is_opcode(address, LLVMBitCast) || is_opcode(address, LLVMAddrSpaceCast))
        return find_place(n, LLVMGetOperand(address, 0), p, depth + 1);
    if (LLVMIsALoadInst(address))
        return place_of_load(n, address, p, depth + 1);
    if (LLVMIsACallInst(address))
        return place_of_call(n, address, p, depth + 1);
    return place_of_variable(n, address, p);
}

/* A label as two operands of a metadata node. */
static void put_label(const ins_module *m, const place *p, LLVMMetadataRef out[2])
{
    uint64_t type = ins_di_value_type(m, p->type);
    out[0] = LLVMMDStringInContext2(m->context, p->text, strlen(p->text));
    out[1] = LLVMValueAsMetadata(LLVMConstInt(m->i32, type, 0));
}

static void attach(const ins_module *m, LLVMValueRef inst, LLVMMetadataRef *ops, size_t n)
{
    LLVMMetadataRef node = LLVMMDNodeInContext2(m->context, ops, n);
    LLVMSetMetadata(inst, m->label_kind, LLVMMetadataAsValue(m->context, node));
}

static void label_access(namer *n, LLVMValueRef inst, LLVMValueRef address, uint64_t size)
{
    place p = {0};
    LLVMMetadataRef ops[2];
    if (!find_place(n, address, &p, 0))
        return;
    enter_first(n->m, &p, size);
    if (p.through)
        prepend(&p, "*", "");
    put_label(n->m, &p, ops);
    attach(n->m, inst, ops, 2);
}

static bool is_call_of(LLVMValueRef inst, const char *prefix)
{
    if (!LLVMIsACallInst(inst) || !LLVMIsAFunction(LLVMGetCalledValue(inst)))
        return false;
    size_t length = 0;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(inst), &length);
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Bytes that a call of a memory intrinsic accesses; UINT64_MAX if unknown. */
static uint64_t copied_size(LLVMValueRef call)
{
    if (!ins_intrinsic_copies(call) || !LLVMIsAConstantInt(LLVMGetOperand(call, 2)))
        return UINT64_MAX;
    return LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2));
}

/* How many arguments of a call have labels: those that structures are copied from, two at least. */
static unsigned count_labels(LLVMValueRef call)
{
    unsigned n = 2;
    for (unsigned i = n; i < LLVMGetNumArgOperands(call) && i < LABELS_MAX; i++)
        if (ins_copied_type(call, i))
            n = i + 1;
    return n;
}

/* Calls: what the first arguments point to. */
static void label_call(namer *n, LLVMValueRef call)
{
    LLVMMetadataRef ops[2 * LABELS_MAX];
    uint64_t size = copied_size(call);
    unsigned n_args = LLVMGetNumArgOperands(call), n_labels = count_labels(call);
    for (unsigned i = 0; i < n_labels; i++) {
        place p = {0};
        LLVMValueRef arg = i < n_args ? LLVMGetOperand(call, i) : NULL;
        bool found = arg && LLVMGetTypeKind(LLVMTypeOf(arg)) == LLVMPointerTypeKind &&
                     find_place(n, arg, &p, 0);
        if (!found)
            p = (place){0};
        else if (ins_intrinsic_copies(call) || ins_copied_type(call, i)) {
            enter_array(n->m, &p, size);
            if (p.through)
                prepend(&p, "*", "");
        }
        put_label(n->m, &p, ops + 2 * i);
    }
    attach(n->m, call, ops, 2 * n_labels);
}

/* Remembers which variable an alloca or argument is. */
static void note_declared(void *context, LLVMValueRef base, LLVMMetadataRef variable)
{
    namer *n = context;
    ins_map_put(&n->variables, base, variable);
}

static uint64_t size_of(const ins_module *m, LLVMValueRef value)
{
    return LLVMStoreSizeOfType(m->layout, LLVMTypeOf(value));
}

static void label_instruction(namer *n, LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        label_access(n, inst, LLVMGetOperand(inst, 0), size_of(n->m, inst));
        break;
    case LLVMStore:
        label_access(n, inst, LLVMGetOperand(inst, 1),
                     size_of(n->m, LLVMGetOperand(inst, 0)));
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        label_access(n, inst, LLVMGetOperand(inst, 0),
                     size_of(n->m, LLVMGetOperand(inst, 1)));
        break;
    case LLVMCall:
    case LLVMInvoke:
        if (!is_call_of(inst, "llvm.dbg.") && !is_call_of(inst, "llvm.lifetime."))
            label_call(n, inst);
        break;
    default:
        break;
    }
}

static void note_globals(namer *n)
{
    LLVMValueRef g = LLVMGetFirstGlobal(n->m->module);
    for (; g; g = LLVMGetNextGlobal(g)) {
        size_t count = 0;
        LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(g, &count);
        for (unsigned i = 0; i < count; i++) {
            LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(all, i);
            if (LLVMGetMetadataKind(node) == LLVMDIGlobalVariableExpressionMetadataKind)
                ins_map_put(&n->variables, g,
                            LLVMDIGlobalVariableExpressionGetVariable(node));
        }
        LLVMDisposeValueMetadataEntries(all);
    }
}

static void each_instruction(namer *n, LLVMValueRef f,
                             void (*visit)(namer *, LLVMValueRef))
{
    LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f);
    for (; bb; bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef inst = LLVMGetFirstInstruction(bb);
        for (; inst; inst = LLVMGetNextInstruction(inst))
            visit(n, inst);
    }
}

static void note_if_declare(namer *n, LLVMValueRef inst)
{
    ins_llvm_each_declared(inst, note_declared, n);
}

void ins_names_note(ins_module *m)
{
    namer n = {.m = m};
    note_globals(&n);
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f)) {
        each_instruction(&n, f, note_if_declare);
        each_instruction(&n, f, label_instruction);
    }
    ins_map_fini(&n.variables);
}

/* Without a label: at least the name of a global. */
static ins_label global_label(LLVMValueRef inst)
{
    size_t length = 0;
    LLVMValueRef base = NULL;
    if (LLVMIsALoadInst(inst))
        base = ins_escape_base(LLVMGetOperand(inst, 0));
    else if (LLVMIsAStoreInst(inst))
        base = ins_escape_base(LLVMGetOperand(inst, 1));
    if (base == NULL || !LLVMIsAGlobalVariable(base))
        return (ins_label){.name = ""};
    return (ins_label){.name = LLVMGetValueName2(base, &length)};
}

ins_label ins_names_label(const ins_module *m, LLVMValueRef inst, unsigned which)
{
    LLVMValueRef node = LLVMGetMetadata(inst, m->label_kind);
    LLVMValueRef ops[2 * LABELS_MAX] = {0};
    unsigned length = 0;
    if (node == NULL || LLVMGetMDNodeNumOperands(node) < 2 * which + 2)
        return global_label(inst);
    TD_ASSERT(LLVMGetMDNodeNumOperands(node) <= 2 * LABELS_MAX);
    LLVMGetMDNodeOperands(node, ops);
    const char *name = LLVMGetMDString(ops[2 * which], &length);
    uint64_t type = LLVMConstIntGetZExtValue(ops[2 * which + 1]);
    return (ins_label){name && length ? name : "", (enum wire_site_type)type};
}
