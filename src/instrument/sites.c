/* SPDX-License-Identifier: Apache-2.0 */
/* The site table: one array of records and one of strings per module. A field names its
 * string by distance, a constant that the linker resolves, so that the sections stay
 * read-only and need no dynamic relocation. */
#include "instrument/instrument_int.h"

#include <string.h>

#define N_TEXTS 4
/* Stands for the table until that is emitted. */
#define PLACEHOLDER "treadle.sites.placeholder"

static uint64_t hash_text(const char *text)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h ^ (h >> 29);
}

/* The slot that names text, or a free one. */
static uint32_t *slot_of(const ins_sites *s, const char *text)
{
    size_t mask = s->index.len - 1;
    size_t i = hash_text(text) & mask;
    while (s->index.at[i] && strcmp(s->strings.at + s->index.at[i] - 1, text) != 0)
        i = (i + 1) & mask;
    return &s->index.at[i];
}

static void enlarge_index(ins_sites *s)
{
    ins_u32_vec old = s->index;
    size_t n = old.len ? 2 * old.len : 64;
    s->index = (ins_u32_vec){0};
    for (size_t i = 0; i < n; i++)
        ins_u32_vec_push(&s->index, 0);
    for (size_t i = 0; i < old.len; i++)
        if (old.at[i])
            *slot_of(s, s->strings.at + old.at[i] - 1) = old.at[i];
    ins_u32_vec_fini(&old);
}

/* Offset of text among the strings, where it is put if it is new. */
static uint32_t intern(ins_sites *s, const char *text)
{
    if (2 * (s->n_strings + 1) > s->index.len)
        enlarge_index(s);
    uint32_t *slot = slot_of(s, text);
    if (*slot == 0) {
        *slot = (uint32_t)s->strings.len + 1;
        td_text_put(&s->strings, text, strlen(text) + 1);
        s->n_strings++;
    }
    return *slot - 1;
}

/* The type of a record (wire_site). */
static LLVMTypeRef record_type(const ins_module *m)
{
    LLVMTypeRef i16 = LLVMInt16TypeInContext(m->context);
    LLVMTypeRef fields[] = {m->i32, m->i32, m->i32, m->i32, m->i32,
                            m->i32, i16,    i16,    m->i32};
    return LLVMStructTypeInContext(m->context, fields, 9, 0);
}

void ins_sites_init(ins_module *m)
{
    LLVMTypeRef type = LLVMArrayType(m->i8, 0);
    m->sites.placeholder = LLVMAddGlobal(m->module, type, PLACEHOLDER);
    LLVMSetVisibility(m->sites.placeholder, LLVMHiddenVisibility);
}

static LLVMValueRef at_offset(const ins_module *m, LLVMValueRef base, uint64_t offset)
{
    LLVMValueRef index = LLVMConstInt(m->i64, offset, 0);
    return LLVMConstInBoundsGEP2(m->i8, base, &index, 1);
}

LLVMValueRef ins_site_add(ins_module *m, const ins_site *site)
{
    ins_sites *s = &m->sites;
    const ins_site_row row = {
        .text = {intern(s, site->file), intern(s, site->function), intern(s, site->name),
                 intern(s, site->callee)},
        .line = site->line,
        .column = site->column,
        .kind = (uint16_t)site->kind,
        .size = site->size <= UINT16_MAX ? (uint16_t)site->size : 0,
        .type = (uint32_t)site->type,
    };
    ins_row_vec_push(&s->rows, row);
    return at_offset(m, s->placeholder, (s->rows.len - 1) * sizeof(wire_site));
}

/* The distance from field to target, as i32. */
static LLVMValueRef distance(const ins_module *m, LLVMValueRef target, LLVMValueRef field)
{
    LLVMValueRef wide =
        LLVMConstSub(LLVMConstPtrToInt(target, m->i64), LLVMConstPtrToInt(field, m->i64));
    return LLVMConstTrunc(wide, m->i32);
}

static LLVMValueRef record(const ins_module *m, size_t i, LLVMValueRef table,
                           LLVMValueRef strings)
{
    const ins_site_row *row = &m->sites.rows.at[i];
    LLVMTypeRef i16 = LLVMInt16TypeInContext(m->context);
    LLVMValueRef fields[9];
    for (unsigned k = 0; k < N_TEXTS; k++) {
        uint64_t offset = i * sizeof(wire_site) + k * sizeof(int32_t);
        fields[k] =
            distance(m, at_offset(m, strings, row->text[k]), at_offset(m, table, offset));
    }
    fields[4] = LLVMConstInt(m->i32, row->line, 0);
    fields[5] = LLVMConstInt(m->i32, row->column, 0);
    fields[6] = LLVMConstInt(i16, row->kind, 0);
    fields[7] = LLVMConstInt(i16, row->size, 0);
    fields[8] = LLVMConstInt(m->i32, row->type, 0);
    return LLVMConstStructInContext(m->context, fields, 9, 0);
}

static LLVMValueRef add_constant(const ins_module *m, LLVMTypeRef type, const char *name,
                                 const char *section)
{
    LLVMValueRef g = LLVMAddGlobal(m->module, type, name);
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMSetGlobalConstant(g, 1);
    LLVMSetSection(g, section);
    return g;
}

/* Keeps the values through optimisation and --gc-sections. llvm.used may be there
 * already; its elements move to the new one. */
static void mark_used(const ins_module *m, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef old = LLVMGetNamedGlobal(m->module, "llvm.used");
    unsigned n_old = old ? LLVMGetArrayLength(LLVMGlobalGetValueType(old)) : 0;
    LLVMValueRef *all = td_alloc((n_old + 2) * sizeof *all);
    for (unsigned i = 0; i < n_old; i++)
        all[i] = LLVMGetOperand(LLVMGetInitializer(old), i);
    all[n_old] = a;
    all[n_old + 1] = b;
    if (old)
        LLVMDeleteGlobal(old);
    LLVMTypeRef type = LLVMArrayType(m->ptr, n_old + 2);
    LLVMValueRef used = LLVMAddGlobal(m->module, type, "llvm.used");
    LLVMSetInitializer(used, LLVMConstArray(m->ptr, all, n_old + 2));
    LLVMSetLinkage(used, LLVMAppendingLinkage);
    LLVMSetSection(used, "llvm.metadata");
    td_free(all);
}

/* Puts the table where the code refers to it. The optimiser may have dropped all of that. */
static void replace_placeholder(ins_module *m, LLVMValueRef table)
{
    LLVMValueRef placeholder = LLVMGetNamedGlobal(m->module, PLACEHOLDER);
    if (!placeholder)
        return;
    if (table)
        LLVMReplaceAllUsesWith(placeholder, table);
    LLVMDeleteGlobal(placeholder);
}

void ins_sites_emit(ins_module *m)
{
    ins_sites *s = &m->sites;
    unsigned n = (unsigned)s->rows.len;
    if (n == 0) {
        replace_placeholder(m, NULL);
        return;
    }
    LLVMTypeRef type = record_type(m);
    LLVMValueRef table =
        add_constant(m, LLVMArrayType(type, n), "treadle.sites", WIRE_SITE_SECTION);
    LLVMValueRef text =
        LLVMConstStringInContext(m->context, s->strings.at, (unsigned)s->strings.len, 1);
    LLVMValueRef strings =
        add_constant(m, LLVMTypeOf(text), "treadle.strings", WIRE_STRING_SECTION);
    LLVMSetInitializer(strings, text);
    LLVMSetAlignment(strings, 1);
    LLVMSetAlignment(table, sizeof(wire_site));
    LLVMValueRef *records = td_alloc(n * sizeof *records);
    for (unsigned i = 0; i < n; i++)
        records[i] = record(m, i, table, strings);
    LLVMSetInitializer(table, LLVMConstArray(type, records, n));
    td_free(records);
    mark_used(m, table, strings);
    replace_placeholder(m, table);
}

void ins_sites_fini(ins_sites *s)
{
    ins_row_vec_fini(&s->rows);
    ins_u32_vec_fini(&s->index);
    td_text_fini(&s->strings);
    *s = (ins_sites){0};
}
