/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes the bitcode that is kept in objects. Packed it is two thirds as long. */
#include "instrument/kept_bitcode.h"

#include <assert.h>
#include <elf.h>
#include <string.h>
#include <zstd.h>

#include "base/assert.h"
#include "base/text.h"
#include "base/vec.h"

#define BITCODE_SECTION ".treadle.bitcode"
#define INPUTS_SECTION ".treadle.inputs"
#define MAGIC "treadle2"
#define BITCODE_MAX ((size_t)1 << 30)
#define EFFORT 3 /* level of zstd: its default */

/* The header of the packed bitcode. */
typedef struct head {
    char magic[8];
    uint8_t level, for_size, keep_debug, function_sections, data_sections, volatiles;
    uint8_t rest[2];
    uint64_t size; /* size of the packed data */
} head;
static_assert(sizeof(head) == 24, "it is in objects");

/* --- writing --- */

static void write_path(td_text *out, const char *path)
{
    for (; *path; path++)
        td_text_add(out, *path == '"' || *path == '\\' ? "\\%c" : "%c", *path);
}

td_status ins_kept_pack(const char *path, td_diag *diag)
{
    td_text bytes = {0};
    TD_TRY(td_file_read(path, BITCODE_MAX, &bytes, diag));
    size_t room = ZSTD_compressBound(bytes.len);
    char *out = td_alloc(room);
    size_t n = ZSTD_compress(out, room, bytes.at, bytes.len, EFFORT);
    TD_ASSERT(!ZSTD_isError(n) && n <= room);
    td_status status = td_file_replace(path, out, n, diag);
    td_free(out);
    td_text_fini(&bytes);
    return status;
}

void ins_kept_write(const char *packed, const ins_opts *opts, td_text *out)
{
    head h = {.level = (uint8_t)opts->level,
              .for_size = opts->for_size,
              .keep_debug = opts->keep_debug,
              .function_sections = opts->function_sections,
              .data_sections = opts->data_sections,
              .volatiles = (uint8_t)opts->volatiles};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    td_text_add(out, ".pushsection " BITCODE_SECTION ",\"e\",%%progbits\n");
    for (size_t i = 0; i < offsetof(head, size); i++)
        td_text_add(out, ".byte %u\n", (unsigned)((const unsigned char *)&h)[i]);
    td_text_add(out, ".quad 2f - 1f\n1:\n.incbin \"");
    write_path(out, packed);
    td_text_add(out, "\"\n2:\n.popsection\n");
}

void ins_kept_write_inputs(td_text *out)
{
    td_text_add(out, ".pushsection " INPUTS_SECTION ",\"e\",%%progbits\n.byte 1\n"
                     ".popsection\n");
}

/* --- reading --- */

typedef struct object {
    const char *bytes;
    size_t len;
    uint64_t table, n; /* of the section table */
    Elf64_Shdr names;
} object;

static bool section_at(const object *o, uint64_t i, Elf64_Shdr *out)
{
    uint64_t at = o->table + i * sizeof *out;
    if (i >= o->n || at > o->len || o->len - at < sizeof *out)
        return false;
    memcpy(out, o->bytes + at, sizeof *out);
    return true;
}

static bool is_inside(const object *o, const Elf64_Shdr *s)
{
    return s->sh_type != SHT_NOBITS && s->sh_offset <= o->len &&
           s->sh_size <= o->len - s->sh_offset;
}

/* Opens an object. If there are many sections, the first one has their number. */
static bool open_object(const char *bytes, size_t len, object *o)
{
    Elf64_Ehdr e;
    Elf64_Shdr first;
    if (len < sizeof e)
        return false;
    memcpy(&e, bytes, sizeof e);
    if (memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 || e.e_ident[EI_CLASS] != ELFCLASS64 ||
        e.e_type != ET_REL || e.e_shentsize != sizeof(Elf64_Shdr) || e.e_shoff > len)
        return false;
    *o = (object){.bytes = bytes, .len = len, .table = e.e_shoff, .n = 1};
    if (!section_at(o, 0, &first))
        return false;
    o->n = e.e_shnum ? e.e_shnum : first.sh_size;
    if (o->n > (len - o->table) / sizeof(Elf64_Shdr))
        return false;
    uint64_t names = e.e_shstrndx == SHN_XINDEX ? first.sh_link : e.e_shstrndx;
    return section_at(o, names, &o->names) && is_inside(o, &o->names);
}

static bool is_named(const object *o, const Elf64_Shdr *s, const char *name)
{
    size_t n = strlen(name) + 1;
    return s->sh_name <= o->names.sh_size && n <= o->names.sh_size - s->sh_name &&
           memcmp(o->bytes + o->names.sh_offset + s->sh_name, name, n) == 0;
}

/* Where a linker put several objects into one, it stays as it is. */
static void take_bitcode(const object *o, const Elf64_Shdr *s, ins_kept *out)
{
    const char *at = o->bytes + s->sh_offset;
    head h;
    bool again = out->is_light;
    out->is_light = true;
    out->packed = NULL;
    if (again || s->sh_size < sizeof h)
        return;
    memcpy(&h, at, sizeof h);
    if (memcmp(h.magic, MAGIC, sizeof h.magic) != 0 || h.level > 3 ||
        h.volatiles > INS_VOLATILE_ATOMIC || h.size != s->sh_size - sizeof h)
        return;
    out->opts = (ins_opts){.level = h.level,
                           .for_size = h.for_size != 0,
                           .keep_debug = h.keep_debug != 0,
                           .function_sections = h.function_sections != 0,
                           .data_sections = h.data_sections != 0,
                           .volatiles = (ins_volatile)h.volatiles};
    out->packed = at + sizeof h;
    out->size = h.size;
}

td_status ins_kept_unpack(const ins_kept *kept, td_text *out, td_diag *diag)
{
    TD_ASSERT(kept->packed != NULL);
    unsigned long long n = ZSTD_getFrameContentSize(kept->packed, kept->size);
    if (n == ZSTD_CONTENTSIZE_UNKNOWN || n == ZSTD_CONTENTSIZE_ERROR || n > BITCODE_MAX)
        return td_diag_set(diag, TD_E_FORMAT, "the bitcode kept in it is broken");
    char *bytes = td_alloc((size_t)n + 1);
    size_t got = ZSTD_decompress(bytes, (size_t)n, kept->packed, kept->size);
    if (got == n)
        td_text_put(out, bytes, got);
    td_free(bytes);
    return got == n ? TD_OK
                    : td_diag_set(diag, TD_E_FORMAT, "the bitcode kept in it is broken");
}

void ins_kept_look(const char *bytes, size_t len, ins_kept *out)
{
    object o;
    Elf64_Shdr s;
    *out = (ins_kept){0};
    if (!open_object(bytes, len, &o))
        return;
    for (uint64_t i = 1; section_at(&o, i, &s); i++)
        if (is_named(&o, &s, INPUTS_SECTION))
            out->makes_inputs = true;
        else if (is_named(&o, &s, BITCODE_SECTION) && is_inside(&o, &s))
            take_bitcode(&o, &s, out);
}
