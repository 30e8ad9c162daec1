/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM-C 16 provides the kind of a debug information node and its operands, not its DWARF tag. Tags are not
 * needed: a pointer has a size and no name, a typedef a name and no size, a qualifier neither; arrays,
 * enumerations and records differ by their elements. */
#include "instrument/instrument_int.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/llvm_versions.h"

/* Operands of DIVariable, DIType and DICompositeType. */
enum { VAR_NAME = 1, VAR_TYPE = 3 };
#define TYPE_BASE ins_llvm_type_base()
#define TYPE_ELEMENTS ins_llvm_type_elements()

static LLVMMetadataKind kind_of(LLVMMetadataRef node)
{
    return node ? LLVMGetMetadataKind(node)
                : (LLVMMetadataKind)LLVMGenericDINodeMetadataKind;
}

unsigned ins_di_n_operands(const ins_module *m, LLVMMetadataRef node)
{
    return (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(m->context, node));
}

/* Returns the operand as a value, or NULL. */
static LLVMValueRef operand_value(const ins_module *m, LLVMMetadataRef node, unsigned i)
{
    if (node == NULL)
        return NULL;
    LLVMValueRef value = LLVMMetadataAsValue(m->context, node);
    unsigned n = (unsigned)LLVMGetMDNodeNumOperands(value);
    if (i >= n)
        return NULL;
    LLVMValueRef *all = td_alloc(n * sizeof *all);
    LLVMGetMDNodeOperands(value, all);
    LLVMValueRef found = all[i];
    td_free(all);
    return found;
}

LLVMMetadataRef ins_di_operand(const ins_module *m, LLVMMetadataRef node, unsigned i)
{
    LLVMValueRef value = operand_value(m, node, i);
    return value ? LLVMValueAsMetadata(value) : NULL;
}

const char *ins_di_string(const ins_module *m, LLVMMetadataRef node, unsigned i)
{
    LLVMValueRef value = operand_value(m, node, i);
    unsigned length = 0;
    const char *text = value ? LLVMGetMDString(value, &length) : NULL;
    return text && length ? text : "";
}

LLVMMetadataRef ins_di_variable_type(const ins_module *m, LLVMMetadataRef variable)
{
    return ins_di_operand(m, variable, VAR_TYPE);
}

const char *ins_di_variable_name(const ins_module *m, LLVMMetadataRef variable)
{
    return ins_di_string(m, variable, VAR_NAME);
}

uint64_t ins_di_size(LLVMMetadataRef type)
{
    return type ? LLVMDITypeGetSizeInBits(type) / 8 : 0;
}

LLVMMetadataRef ins_di_signature(const ins_module *m, LLVMMetadataRef type)
{
    if (kind_of(type) != LLVMDISubroutineTypeMetadataKind)
        return NULL;
    return ins_di_operand(m, type, TYPE_BASE);
}

static bool is_named(LLVMMetadataRef type)
{
    size_t length = 0;
    (void)LLVMDITypeGetName(type, &length);
    return length > 0;
}

LLVMMetadataRef ins_di_strip(const ins_module *m, LLVMMetadataRef type)
{
    while (kind_of(type) == LLVMDIDerivedTypeMetadataKind &&
           LLVMDITypeGetSizeInBits(type) == 0)
        type = ins_di_operand(m, type, TYPE_BASE);
    return type;
}

LLVMMetadataRef ins_di_pointee(const ins_module *m, LLVMMetadataRef type)
{
    type = ins_di_strip(m, type);
    if (kind_of(type) != LLVMDIDerivedTypeMetadataKind || is_named(type))
        return NULL;
    return ins_di_operand(m, type, TYPE_BASE);
}

/* Kind of the first element of a composite type. */
static LLVMMetadataKind element_kind(const ins_module *m, LLVMMetadataRef type)
{
    if (kind_of(type) != LLVMDICompositeTypeMetadataKind)
        return (LLVMMetadataKind)LLVMGenericDINodeMetadataKind;
    LLVMMetadataRef list = ins_di_operand(m, type, TYPE_ELEMENTS);
    return kind_of(list ? ins_di_operand(m, list, 0) : NULL);
}

bool ins_di_is_record(const ins_module *m, LLVMMetadataRef type)
{
    return element_kind(m, type) == LLVMDIDerivedTypeMetadataKind;
}

bool ins_di_is_array(const ins_module *m, LLVMMetadataRef type)
{
    return element_kind(m, type) == LLVMDISubrangeMetadataKind;
}

unsigned ins_di_n_dims(const ins_module *m, LLVMMetadataRef array)
{
    return ins_di_n_operands(m, ins_di_operand(m, array, TYPE_ELEMENTS));
}

LLVMMetadataRef ins_di_element(const ins_module *m, LLVMMetadataRef array)
{
    return ins_di_operand(m, array, TYPE_BASE);
}

LLVMMetadataRef ins_di_member_type(const ins_module *m, LLVMMetadataRef member)
{
    return ins_di_operand(m, member, TYPE_BASE);
}

/* How well a member fits an access: 0 not at all, 1 covers it, 2 is exactly it. */
static int member_fit(LLVMMetadataRef member, uint64_t offset, uint64_t size)
{
    uint64_t first = LLVMDITypeGetOffsetInBits(member) / 8;
    uint64_t bits = LLVMDITypeGetSizeInBits(member);
    uint64_t bytes = bits ? (bits + 7) / 8 : UINT64_MAX - first; /* flexible array */
    if (offset < first || offset >= first + bytes)
        return 0;
    return offset == first && bytes == size ? 2 : 1;
}

LLVMMetadataRef ins_di_member(const ins_module *m, LLVMMetadataRef record,
                              uint64_t offset, uint64_t size)
{
    LLVMValueRef list =
        LLVMMetadataAsValue(m->context, ins_di_operand(m, record, TYPE_ELEMENTS));
    unsigned n = (unsigned)LLVMGetMDNodeNumOperands(list);
    LLVMValueRef *all = td_alloc(n * sizeof *all);
    LLVMGetMDNodeOperands(list, all);
    LLVMMetadataRef best = NULL;
    int best_fit = 0, n_best = 0;
    for (unsigned i = 0; i < n; i++) {
        LLVMMetadataRef member = all[i] ? LLVMValueAsMetadata(all[i]) : NULL;
        if (kind_of(member) != LLVMDIDerivedTypeMetadataKind)
            continue;
        int fit = member_fit(member, offset, size);
        n_best = fit > best_fit ? 1 : n_best + (fit == best_fit);
        if (fit > best_fit) {
            best = member;
            best_fit = fit;
        }
    }
    td_free(all);
    return n_best == 1 ? best : NULL;
}

/* Determines the encoding of a basic type by its name, which C defines. */
static enum wire_site_type basic_type(LLVMMetadataRef type)
{
    size_t length = 0;
    const char *name = LLVMDITypeGetName(type, &length);
    if (length == 0)
        return WIRE_TYPE_UNKNOWN;
    if (strstr(name, "Bool") || strcmp(name, "bool") == 0)
        return WIRE_TYPE_BOOL;
    if (strcmp(name, "char") == 0 || strcmp(name, "signed char") == 0)
        return WIRE_TYPE_CHAR;
    if (strstr(name, "float") || strstr(name, "double") || strstr(name, "Float"))
        return WIRE_TYPE_FLOAT;
    return strstr(name, "unsigned") ? WIRE_TYPE_UNSIGNED : WIRE_TYPE_SIGNED;
}

enum wire_site_type ins_di_value_type(const ins_module *m, LLVMMetadataRef type)
{
    type = ins_di_strip(m, type);
    switch (kind_of(type)) {
    case LLVMDIBasicTypeMetadataKind:
        return basic_type(type);
    case LLVMDIDerivedTypeMetadataKind:
        return is_named(type) ? WIRE_TYPE_UNKNOWN : WIRE_TYPE_POINTER;
    case LLVMDICompositeTypeMetadataKind:
        if (element_kind(m, type) == LLVMDIEnumeratorMetadataKind)
            return ins_di_value_type(m, ins_di_element(m, type));
        return WIRE_TYPE_UNKNOWN;
    default:
        return WIRE_TYPE_UNKNOWN;
    }
}
