/* SPDX-License-Identifier: Apache-2.0 */
/* The site table: records and strings of a module. All distances but those from the record of a file to its
 * path are known here, so the table is bytes, which the code generator copies, and has a relocation for each
 * source file. Records of files come after all others. */
#include "instrument/instrument_int.h"

#include <stddef.h>
#include <string.h>

#include "base/assert.h"
#include "base/readable.h"

/* Name of the placeholder of the table. */
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
    TD_ASSERT(s->index.len > s->n_strings && (s->index.len & mask) == 0);
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

/* The text as people say it; symbols of C++ are rare, and have a name of their own. */
static uint32_t intern_readable(ins_sites *s, const char *text)
{
    td_text out = {0};
    if (!strstr(text, "_Z"))
        return intern(s, text);
    td_readable(text, &out);
    uint32_t at = intern(s, out.len > 0 ? out.at : "");
    td_text_fini(&out);
    return at;
}

LLVMValueRef ins_site_add(ins_module *m, const ins_site *site)
{
    TD_ASSERT(m->sites.placeholder != NULL && site->file && site->function &&
              site->name && site->callee);
    ins_sites *s = &m->sites;
    const ins_site_row row = {
        .text = {intern(s, site->file), intern_readable(s, site->function),
                 intern_readable(s, site->name), intern(s, site->callee)},
        .line = site->line,
        .column = site->column,
        .kind = (uint16_t)site->kind,
        .size = site->size <= UINT16_MAX ? (uint16_t)site->size : 0,
        .type = (uint32_t)site->type,
    };
    ins_row_vec_push(&s->rows, row);
    return at_offset(m, s->placeholder, (s->rows.len - 1) * sizeof(wire_site));
}

/* The distance from one to the other, as i32. */
static LLVMValueRef distance(const ins_module *m, LLVMValueRef from, LLVMValueRef to)
{
    LLVMValueRef wide =
        LLVMConstSub(LLVMConstPtrToInt(to, m->i64), LLVMConstPtrToInt(from, m->i64));
    return LLVMConstTrunc(wide, m->i32);
}

/* --- files: each path once, in the order of the first record that names it --- */

static uint32_t file_of(ins_u32_vec *files, uint32_t path)
{
    for (size_t i = files->len; i > 0; i--)
        if (files->at[i - 1] == path)
            return (uint32_t)i - 1;
    ins_u32_vec_push(files, path);
    return (uint32_t)files->len - 1;
}

static wire_site record(const ins_sites *s, size_t i, uint32_t file)
{
    const ins_site_row *row = &s->rows.at[i];
    size_t of_file = s->rows.len + file;
    TD_ASSERT(i < s->rows.len && of_file > i);
    return (wire_site){
        .file = (int32_t)((of_file - i) * sizeof(wire_site)),
        .function = (int32_t)(row->text[1] - row->text[0]),
        .name = (int32_t)(row->text[2] - row->text[0]),
        .callee = (int32_t)(row->text[3] - row->text[0]),
        .line = row->line,
        .column = row->column,
        .kind = row->kind,
        .size = row->size,
        .type = row->type,
    };
}

/* The rows as bytes; the machine they are for is the one this runs on. */
static LLVMValueRef records(const ins_module *m, ins_u32_vec *files)
{
    const ins_sites *s = &m->sites;
    size_t n = s->rows.len;
    wire_site *all = td_alloc(n * sizeof *all);
    for (size_t i = 0; i < n; i++)
        all[i] = record(s, i, file_of(files, s->rows.at[i].text[0]));
    LLVMValueRef bytes = LLVMConstStringInContext(m->context, (const char *)all,
                                                  (unsigned)(n * sizeof *all), 1);
    td_free(all);
    return bytes;
}

/* The record of a file: the distance to its path, and the rest as bytes. */
static LLVMValueRef record_of_file(const ins_module *m, LLVMValueRef at,
                                   LLVMValueRef path)
{
    const wire_site w = {.kind = WIRE_SITE_FILE};
    size_t first = offsetof(wire_site, function);
    LLVMValueRef fields[] = {distance(m, at, path),
                             LLVMConstStringInContext(m->context,
                                                      (const char *)&w + first,
                                                      (unsigned)(sizeof w - first), 1)};
    return LLVMConstStructInContext(m->context, fields, 2, 1);
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

static LLVMTypeRef table_type(const ins_module *m, size_t n_rows, size_t n_files)
{
    unsigned bytes = (unsigned)((n_rows + n_files) * sizeof(wire_site));
    return LLVMArrayType(m->i8, bytes);
}

/* A table of this type cannot refer to itself until it is there, so there is one of bytes first. */
static LLVMValueRef add_table(ins_module *m, LLVMValueRef strings, LLVMValueRef rows,
                              const ins_u32_vec *files)
{
    size_t n = m->sites.rows.len;
    LLVMValueRef stand_in =
        LLVMAddGlobal(m->module, table_type(m, n, files->len), "treadle.sites");
    LLVMValueRef *parts = td_alloc((files->len + 1) * sizeof *parts);
    parts[0] = rows;
    for (size_t i = 0; i < files->len; i++)
        parts[i + 1] =
            record_of_file(m, at_offset(m, stand_in, (n + i) * sizeof(wire_site)),
                           at_offset(m, strings, files->at[i]));
    LLVMValueRef all =
        LLVMConstStructInContext(m->context, parts, (unsigned)files->len + 1, 1);
    td_free(parts);
    LLVMValueRef table =
        add_constant(m, LLVMTypeOf(all), "treadle.sites", WIRE_SITE_SECTION);
    LLVMSetInitializer(table, all);
    LLVMSetAlignment(table, sizeof(wire_site));
    LLVMReplaceAllUsesWith(stand_in, table);
    LLVMDeleteGlobal(stand_in);
    return table;
}

void ins_sites_emit(ins_module *m)
{
    ins_sites *s = &m->sites;
    if (s->rows.len == 0) {
        replace_placeholder(m, NULL);
        return;
    }
    ins_u32_vec files = {0};
    LLVMValueRef text =
        LLVMConstStringInContext(m->context, s->strings.at, (unsigned)s->strings.len, 1);
    LLVMValueRef strings =
        add_constant(m, LLVMTypeOf(text), "treadle.strings", WIRE_STRING_SECTION);
    LLVMSetInitializer(strings, text);
    LLVMSetAlignment(strings, 1);
    LLVMValueRef rows = records(m, &files);
    TD_ASSERT(files.len > 0 && files.len <= s->rows.len);
    LLVMValueRef table = add_table(m, strings, rows, &files);
    ins_u32_vec_fini(&files);
    mark_used(m, table, strings);
    replace_placeholder(m, table);
}

bool ins_sites_have(const ins_sites *s, enum wire_site_kind kind)
{
    for (size_t i = 0; i < s->rows.len; i++)
        if (s->rows.at[i].kind == kind)
            return true;
    return false;
}

void ins_sites_fini(ins_sites *s)
{
    ins_row_vec_fini(&s->rows);
    ins_u32_vec_fini(&s->index);
    td_text_fini(&s->strings);
    *s = (ins_sites){0};
}
