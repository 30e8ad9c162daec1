/* SPDX-License-Identifier: Apache-2.0 */
/* Sites, symbols and debug information of an executable. Its bytes are not trusted. */
#include "trace/site_table.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/readable.h"
#include "base/text.h"
#include "base/vec.h"
#include "trace/code.h"
#include "trace/objects.h"
#include "trace/site_files.h"
#include "wire/api.h"

enum { SOURCE_LIMIT = 16 << 20, BUILD_ID_LIMIT = 64 };

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { OUR_DATA = ELFDATA2LSB };
#else
enum { OUR_DATA = ELFDATA2MSB };
#endif

/* A section of the file, copied. Followed by a zero, so that text in it always ends. */
typedef struct section {
    char *bytes; /* NULL: no source */
    uint64_t address, size;
} section;

typedef struct symbol {
    uint64_t address, size;
    const char *name; /* in the ELF handle's memory */
    /* Read when first asked for. */
    const char *file; /* file of a function, from the sites */
    char *readable;   /* its demangled name; NULL: the same */
} symbol;

TD_VEC(symbol, symbol_vec);

typedef struct image {
    char *path;
    uint64_t base, start, end;
    uint32_t first_site, n_sites;
    section sites, strings;
    section code; /* addresses of functions that have hooks */
    int fd;
    Elf *elf;
    uint64_t file_size;
    /* Read when first asked for. */
    bool symbols_read, dwarf_read;
    symbol_vec objects, functions; /* sorted by address */
    trc_file_vec files;            /* files of the sites */
    trc_code debug;
    trc_variables variables;
} image;

/* A source file, cut into lines. */
typedef struct source {
    char *name;
    td_text bytes; /* newlines replaced by zeros */
    size_t *lines; /* offset of each line */
    size_t n_lines, cap_lines;
} source;

TD_VEC(source, source_vec);

/* Cache of the calls at an address: each page asks for the same few. */
#define N_CALLED 1024u
typedef struct called {
    uint64_t address; /* 0: the entry is unused */
    size_t n;         /* length of at, which was computed with room for max calls */
    size_t max;
    trc_site at[TRC_MAX_CALLS];
} called;

struct trc_sites {
    image *images;
    called **called; /* N_CALLED, by address; each NULL until it is asked for */
    uint32_t n_images;
    char build_id[2 * BUILD_ID_LIMIT + 1];
    td_text object_name;
    source_vec sources;
};

static const trc_site unknown = {.file = "?", .function = "?", .name = "", .callee = ""};

/* ---- reading one image ---- */

static td_status image_bad(const image *im, td_diag *diag, const char *why)
{
    return td_diag_set(diag, TD_E_FORMAT, "%s: %s", im->path, why);
}

static td_status open_elf(image *im, td_diag *diag)
{
    im->fd = open(im->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (im->fd < 0)
        return td_diag_errno(diag, TD_E_SYSTEM, "cannot open %s", im->path);
    struct stat st;
    if (fstat(im->fd, &st) < 0 || !S_ISREG(st.st_mode))
        return image_bad(im, diag, "not a regular file");
    im->file_size = (uint64_t)st.st_size;
    if (elf_version(EV_CURRENT) == EV_NONE)
        return image_bad(im, diag, "this libelf is too old");
    im->elf = elf_begin(im->fd, ELF_C_READ, NULL);
    if (!im->elf || elf_kind(im->elf) != ELF_K_ELF)
        return image_bad(im, diag, "not an ELF file");
    size_t n;
    const char *ident = elf_getident(im->elf, &n);
    if (!ident || n < EI_NIDENT || ident[EI_CLASS] != ELFCLASS64 ||
        ident[EI_DATA] != OUR_DATA)
        return image_bad(im, diag, "built for another machine");
    return TD_OK;
}

static td_status copy_section(image *im, Elf_Scn *scn, const GElf_Shdr *head,
                              section *out, td_diag *diag)
{
    if (head->sh_type == SHT_NOBITS || head->sh_offset > im->file_size ||
        head->sh_size > im->file_size - head->sh_offset)
        return image_bad(im, diag, "a section is not in the file");
    Elf_Data *data = elf_rawdata(scn, NULL);
    if (head->sh_size > 0 && (!data || !data->d_buf || data->d_size != head->sh_size))
        return image_bad(im, diag, "a section cannot be read");
    if (out->bytes)
        return image_bad(im, diag, "it has two site tables");
    out->bytes = td_alloc(head->sh_size + 1);
    out->address = head->sh_addr;
    out->size = head->sh_size;
    if (head->sh_size > 0)
        memcpy(out->bytes, data->d_buf, head->sh_size);
    return TD_OK;
}

static td_status find_sections(image *im, td_diag *diag)
{
    size_t names;
    if (elf_getshdrstrndx(im->elf, &names) < 0)
        return image_bad(im, diag, "its sections have no names");
    for (Elf_Scn *scn = elf_nextscn(im->elf, NULL); scn;
         scn = elf_nextscn(im->elf, scn)) {
        GElf_Shdr head;
        if (!gelf_getshdr(scn, &head))
            continue;
        const char *name = elf_strptr(im->elf, names, head.sh_name);
        if (name && strcmp(name, WIRE_SITE_SECTION) == 0)
            TD_TRY(copy_section(im, scn, &head, &im->sites, diag));
        else if (name && strcmp(name, WIRE_STRING_SECTION) == 0)
            TD_TRY(copy_section(im, scn, &head, &im->strings, diag));
        else if (name && strcmp(name, WIRE_CODE_SECTION) == 0)
            TD_TRY(copy_section(im, scn, &head, &im->code, diag));
    }
    return TD_OK;
}

/* Texts of the program end up on terminals and in reports. */
static void clean_strings(section *s)
{
    for (uint64_t i = 0; i < s->size; i++) {
        unsigned char c = (unsigned char)s->bytes[i];
        if ((c > 0 && c < 0x20) || c == 0x7f)
            s->bytes[i] = '?';
    }
}

static td_status image_open(image *im, const wire_image *w, td_diag *diag)
{
    size_t len = strnlen(w->path, WIRE_PATH_BYTES);
    if (len == 0 || len == WIRE_PATH_BYTES)
        return td_diag_set(diag, TD_E_FORMAT, "the program names no file of its own");
    im->path = td_strdup(w->path);
    im->base = w->base;
    im->start = w->start;
    im->end = w->end;
    im->first_site = w->first_site;
    TD_TRY(open_elf(im, diag));
    TD_TRY(find_sections(im, diag));
    if (im->sites.size % sizeof(wire_site) != 0)
        return image_bad(im, diag, "its site table is cut");
    if (im->sites.size / sizeof(wire_site) != w->n_sites)
        return td_diag_set(diag, TD_E_FORMAT,
                           "%s has %llu sites, the program reports %u: was it rebuilt?",
                           im->path,
                           (unsigned long long)(im->sites.size / sizeof(wire_site)),
                           w->n_sites);
    if (w->n_sites > 0 && (w->first_site == 0 || w->first_site > UINT32_MAX - w->n_sites))
        return image_bad(im, diag, "its sites have no numbers");
    im->n_sites = w->n_sites;
    clean_strings(&im->strings);
    return TD_OK;
}

static void image_close(image *im)
{
    trc_code_fini(&im->debug);
    trc_variables_fini(&im->variables);
    if (im->elf)
        elf_end(im->elf);
    if (im->fd >= 0)
        close(im->fd);
    symbol_vec_fini(&im->objects);
    for (size_t i = 0; i < im->functions.len; i++)
        td_free(im->functions.at[i].readable);
    symbol_vec_fini(&im->functions);
    trc_file_vec_fini(&im->files);
    td_free(im->sites.bytes);
    td_free(im->strings.bytes);
    td_free(im->code.bytes);
    td_free(im->path);
}

static void read_build_id(trc_sites *s)
{
    const void *bytes = NULL;
    ssize_t n = s->n_images > 0 ? dwelf_elf_gnu_build_id(s->images[0].elf, &bytes) : 0;
    if (n <= 0 || n > BUILD_ID_LIMIT)
        return;
    for (ssize_t i = 0; i < n; i++) {
        static const char digits[] = "0123456789abcdef";
        unsigned char c = ((const unsigned char *)bytes)[i];
        s->build_id[2 * i] = digits[c >> 4];
        s->build_id[2 * i + 1] = digits[c & 15];
    }
}

td_status trc_sites_open(const wire_image *images, uint32_t n, trc_sites **out,
                         td_diag *diag)
{
    *out = NULL;
    if (n > WIRE_MAX_IMAGES)
        return td_diag_set(diag, TD_E_FORMAT, "the program has %u images", n);
    trc_sites *s = td_alloc(sizeof *s);
    s->called = td_alloc(N_CALLED * sizeof(called *));
    s->images = td_alloc((n ? n : 1) * sizeof *s->images);
    for (uint32_t i = 0; i < n; i++) {
        image *im = &s->images[s->n_images++];
        im->fd = -1;
        td_status status = image_open(im, &images[i], diag);
        if (status != TD_OK) {
            trc_sites_free(s);
            return status;
        }
    }
    read_build_id(s);
    *out = s;
    return TD_OK;
}

void trc_sites_free(trc_sites *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < s->n_images; i++)
        image_close(&s->images[i]);
    td_free(s->images);
    for (size_t i = 0; i < s->sources.len; i++) {
        td_free(s->sources.at[i].name);
        td_free(s->sources.at[i].lines);
        td_text_fini(&s->sources.at[i].bytes);
    }
    source_vec_fini(&s->sources);
    td_text_fini(&s->object_name);
    for (size_t i = 0; s->called && i < N_CALLED; i++)
        td_free(s->called[i]);
    td_free(s->called);
    td_free(s);
}

/* ---- sites by number ---- */

/* Returns the address in the image of the path in a file's record; 0 if the record has none. */
static uint64_t path_address(const image *im, uint32_t index, int32_t distance)
{
    wire_site of_file;
    uint64_t at = index * sizeof(wire_site) + (uint64_t)(int64_t)distance;
    if (at % sizeof of_file != 0 || at / sizeof of_file >= im->n_sites)
        return 0;
    memcpy(&of_file, im->sites.bytes + at, sizeof of_file);
    if (of_file.kind != WIRE_SITE_FILE)
        return 0;
    return im->sites.address + at + (uint64_t)(int64_t)of_file.file;
}

static const char *site_text(const image *im, uint64_t path, int32_t distance,
                             const char *fallback)
{
    uint64_t at = path + (uint64_t)(int64_t)distance;
    if (path == 0 || !im->strings.bytes || at < im->strings.address ||
        at - im->strings.address >= im->strings.size)
        return fallback;
    return im->strings.bytes + (at - im->strings.address);
}

static trc_site image_site(const image *im, uint32_t index)
{
    wire_site w;
    memcpy(&w, im->sites.bytes + index * sizeof w, sizeof w);
    bool is_file = w.kind == WIRE_SITE_FILE;
    uint64_t path = path_address(im, index, is_file ? 0 : w.file);
    return (trc_site){
        .file = site_text(im, path, 0, "?"),
        .function = is_file ? "?" : site_text(im, path, w.function, "?"),
        .name = is_file ? "" : site_text(im, path, w.name, ""),
        .callee = is_file ? "" : site_text(im, path, w.callee, ""),
        .line = w.line,
        .column = w.column,
        .kind = w.kind,
        .size = w.size,
        .type = w.type,
    };
}

trc_site trc_site_at(const trc_sites *s, uint32_t number)
{
    for (uint32_t i = 0; s && i < s->n_images; i++) {
        const image *im = &s->images[i];
        if (number >= im->first_site && number - im->first_site < im->n_sites)
            return image_site(im, number - im->first_site);
    }
    return unknown;
}

uint64_t trc_site_address(const trc_sites *s, uint32_t number)
{
    for (uint32_t i = 0; s && i < s->n_images; i++) {
        const image *im = &s->images[i];
        if (number >= im->first_site && number - im->first_site < im->n_sites)
            return im->base + im->sites.address +
                   (uint64_t)(number - im->first_site) * sizeof(wire_site);
    }
    return 0;
}

bool trc_sites_make_inputs(const trc_sites *s)
{
    for (uint32_t i = 1; i < trc_sites_end(s); i++)
        if (trc_site_at(s, i).kind == WIRE_SITE_INPUT)
            return true;
    return false;
}

bool trc_sites_follow(const trc_sites *s)
{
    for (uint32_t i = 1; i < trc_sites_end(s); i++) {
        trc_site at = trc_site_at(s, i);
        if (at.kind == WIRE_SITE_USES && strcmp(at.callee, WIRE_NOT_FOLLOWED) == 0)
            return false;
    }
    return true;
}

uint32_t trc_sites_end(const trc_sites *s)
{
    uint32_t end = 1;
    for (uint32_t i = 0; s && i < s->n_images; i++) {
        uint32_t after = s->images[i].first_site + s->images[i].n_sites;
        end = after > end ? after : end;
    }
    return end;
}

/* ---- symbols ---- */

static int symbol_compare(const void *a, const void *b)
{
    const symbol *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void read_symbol_table(image *im, Elf_Scn *scn, const GElf_Shdr *head)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    size_t n = data && head->sh_entsize ? data->d_size / head->sh_entsize : 0;
    for (size_t i = 0; i < n && i < INT32_MAX; i++) {
        GElf_Sym sym;
        if (!gelf_getsym(data, (int)i, &sym) || sym.st_shndx == SHN_UNDEF)
            continue;
        int type = GELF_ST_TYPE(sym.st_info);
        if (type != STT_OBJECT && type != STT_FUNC)
            continue;
        const char *name = elf_strptr(im->elf, head->sh_link, sym.st_name);
        if (!name || !*name)
            continue;
        symbol_vec_push(
            type == STT_OBJECT ? &im->objects : &im->functions,
            (symbol){.address = sym.st_value, .size = sym.st_size, .name = name});
    }
}

static void read_symbols_of_type(image *im, uint32_t type)
{
    for (Elf_Scn *scn = elf_nextscn(im->elf, NULL); scn;
         scn = elf_nextscn(im->elf, scn)) {
        GElf_Shdr head;
        if (gelf_getshdr(scn, &head) && head.sh_type == type)
            read_symbol_table(im, scn, &head);
    }
}

static void symbols_sort(symbol_vec *v)
{
    if (v->len > 0)
        qsort(v->at, v->len, sizeof *v->at, symbol_compare);
}

static void read_symbols(image *im)
{
    if (im->symbols_read)
        return;
    im->symbols_read = true;
    read_symbols_of_type(im, SHT_SYMTAB);
    if (im->objects.len + im->functions.len == 0)
        read_symbols_of_type(im, SHT_DYNSYM);
    symbols_sort(&im->objects);
    symbols_sort(&im->functions);
}

/* The symbol that covers an address of the file, NULL if none does. */
static symbol *symbol_at(const symbol_vec *v, uint64_t address)
{
    size_t lo = 0, hi = v->len;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (v->at[mid].address <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == 0)
        return NULL;
    symbol *found = &v->at[lo - 1];
    return address - found->address < found->size ? found : NULL;
}

static bool has_hooks(const image *im, uint64_t address)
{
    for (uint64_t at = 0; at + sizeof address <= im->code.size; at += sizeof address)
        if (memcmp(im->code.bytes + at, &address, sizeof address) == 0)
            return true;
    return false;
}

bool trc_is_instrumented(trc_sites *s, const char *function)
{
    for (uint32_t i = 0; i < s->n_images; i++) {
        image *im = &s->images[i];
        read_symbols(im);
        for (size_t k = 0; k < im->functions.len; k++)
            if (strcmp(im->functions.at[k].name, function) == 0 &&
                has_hooks(im, im->functions.at[k].address))
                return true;
    }
    return false;
}

static image *image_of(const trc_sites *s, uint64_t address)
{
    for (uint32_t i = 0; s && i < s->n_images; i++)
        if (address >= s->images[i].start && address < s->images[i].end)
            return &s->images[i];
    return NULL;
}

/* Otherwise libdw ends the process, with the exit status of a bug. */
__attribute__((noreturn)) static void out_of_memory(void)
{
    td_memory_out(0);
}

static void read_dwarf(image *im)
{
    if (!im->dwarf_read)
        im->debug.dwarf = dwarf_begin_elf(im->elf, DWARF_C_READ, NULL);
    if (im->debug.dwarf)
        dwarf_new_oom_handler(im->debug.dwarf, out_of_memory);
    im->dwarf_read = true;
}

const char *trc_object_at(trc_sites *s, uint64_t address, trc_part *part)
{
    image *im = image_of(s, address);
    if (!im)
        return "";
    read_symbols(im);
    symbol *found = symbol_at(&im->objects, address - im->base);
    if (!found)
        return "";
    td_text_clear(&s->object_name);
    td_readable(found->name, &s->object_name);
    read_dwarf(im);
    trc_variable known = trc_variable_find(&im->variables, im->debug.dwarf, found->name);
    trc_object_path(im->debug.dwarf, known, address - im->base - found->address,
                    &s->object_name, part);
    return s->object_name.at;
}

/* ---- addresses of code ---- */

static void read_files(image *im)
{
    bool is_read = im->files.len > 0;
    for (uint32_t i = 0; !is_read && i < im->n_sites; i++)
        trc_file_add(&im->files, image_site(im, i).file);
}

static const char *find_file(const image *im, const char *function)
{
    for (uint32_t i = 0; i < im->n_sites; i++) {
        trc_site site = image_site(im, i);
        if (strcmp(site.function, function) == 0)
            return site.file;
    }
    return "?";
}

static void site_from_symbols(image *im, uint64_t pc, trc_site *site)
{
    read_symbols(im);
    symbol *found = symbol_at(&im->functions, pc);
    if (!found)
        return;
    site->function = td_readable_kept(found->name, &found->readable);
    if (!found->file)
        found->file = find_file(im, site->function);
    site->file = found->file;
}

trc_site trc_site_of_address(const trc_sites *s, uint64_t address)
{
    trc_site site = unknown;
    image *im = image_of(s, address);
    if (!im)
        return site;
    uint64_t pc = address - im->base;
    site_from_symbols(im, pc, &site);
    read_dwarf(im);
    Dwarf_Die unit;
    if (!im->debug.dwarf || !trc_code_find_unit(im->debug.dwarf, pc, &unit))
        return site;
    trc_code_scope inner;
    if (trc_code_scopes(&im->debug, &unit, pc, &inner, 1) > 0) {
        site.function = inner.function;
        site.symbol = inner.symbol;
    }
    const symbol *start = symbol_at(&im->functions, pc);
    Dwarf_Line *line = trc_code_line(&unit, pc, start ? start->address : pc);
    int number = 0, column = 0;
    if (!line || dwarf_lineno(line, &number) != 0 || number <= 0)
        return site;
    const char *file = dwarf_linesrc(line, NULL, NULL);
    if (!file)
        return site;
    read_files(im);
    site.file = trc_file_named(&im->files, file);
    site.line = (uint32_t)number;
    if (dwarf_linecol(line, &column) == 0 && column > 0)
        site.column = (uint32_t)column;
    return site;
}

/* True if an instrumented part of the program was compiled from the unit. Other units, those of the runtime,
 * have no code that users called. */
static bool has_sites(image *im, Dwarf_Die *unit)
{
    const char *name = dwarf_diename(unit);
    read_files(im);
    return name && trc_file_is_unit(&im->files, name);
}

static size_t read_calls(const trc_sites *s, uint64_t return_address, trc_site *out,
                         size_t max)
{
    trc_code_scope scopes[TRC_MAX_CALLS];
    image *im = return_address > 0 ? image_of(s, return_address - 1) : NULL;
    if (!im || max == 0)
        return 0;
    uint64_t pc = return_address - 1 - im->base;
    Dwarf_Die unit;
    read_dwarf(im);
    if (!im->debug.dwarf || !trc_code_find_unit(im->debug.dwarf, pc, &unit) ||
        !has_sites(im, &unit))
        return 0;
    out[0] = trc_site_of_address(s, return_address - 1);
    size_t n = trc_code_scopes(&im->debug, &unit, pc, scopes, TRC_MAX_CALLS);
    size_t k = 1;
    for (; k < n && k < max && scopes[k - 1].file; k++)
        out[k] = (trc_site){.file = trc_file_named(&im->files, scopes[k - 1].file),
                            .function = scopes[k].function,
                            .name = "",
                            .callee = "",
                            .symbol = scopes[k].symbol,
                            .line = scopes[k - 1].line};
    return k;
}

size_t trc_calls_at(const trc_sites *s, uint64_t return_address, trc_site *out,
                    size_t max)
{
    called **place = &s->called[return_address * UINT64_C(0x9e3779b97f4a7c15) >> 54];
    static_assert(N_CALLED == 1u << (64 - 54), "the hash has as many bits");
    max = max < TRC_MAX_CALLS ? max : TRC_MAX_CALLS;
    if (!*place)
        *place = td_alloc(sizeof **place);
    called *c = *place;
    if (c->address != return_address || c->max < max) {
        c->address = return_address;
        c->max = max;
        c->n = read_calls(s, return_address, c->at, max);
    }
    size_t n = c->n < max ? c->n : max;
    memcpy(out, c->at, n * sizeof *out);
    return n;
}

/* ---- code of source lines ---- */

typedef struct wanted_lines {
    const char *file; /* without its directory */
    uint32_t from, to;
    trc_span *out;
    size_t n, max;
} wanted_lines;

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_wanted(const wanted_lines *w, const trc_site *at)
{
    return at->line >= w->from && at->line <= w->to &&
           strcmp(base_name(at->file), w->file) == 0;
}

/* True if the code at the address, or a call that was inlined around it, is of the lines. */
static bool is_of_lines(const trc_sites *s, const wanted_lines *w, uint64_t address)
{
    trc_site at[TRC_MAX_CALLS];
    size_t n = read_calls(s, address + 1, at, TRC_MAX_CALLS);
    for (size_t i = 0; i < n; i++)
        if (is_wanted(w, &at[i]))
            return true;
    return false;
}

static void add_span(wanted_lines *w, uint64_t low, uint64_t high)
{
    if (w->n > 0 && w->n <= w->max && w->out[w->n - 1].high == low) {
        w->out[w->n - 1].high = high;
        return;
    }
    if (w->n < w->max)
        w->out[w->n] = (trc_span){low, high};
    w->n++;
}

static bool has_file(Dwarf_Die *unit, const char *file)
{
    Dwarf_Files *files = NULL;
    size_t n = 0;
    if (dwarf_getsrcfiles(unit, &files, &n) != 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        const char *name = dwarf_filesrc(files, i, NULL, NULL);
        if (name && strcmp(base_name(name), file) == 0)
            return true;
    }
    return false;
}

/* Each row of the line table has code of one line, and of one inlined call. */
static void add_unit(const trc_sites *s, const image *im, Dwarf_Die *unit,
                     wanted_lines *w)
{
    Dwarf_Lines *lines = NULL;
    size_t n = 0;
    if (dwarf_getsrclines(unit, &lines, &n) != 0)
        return;
    for (size_t i = 0; i + 1 < n; i++) {
        Dwarf_Line *row = dwarf_onesrcline(lines, i);
        Dwarf_Addr low = 0, high = 0;
        bool ends = true;
        if (dwarf_lineendsequence(row, &ends) != 0 || ends ||
            dwarf_lineaddr(row, &low) != 0 ||
            dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &high) != 0 || high <= low)
            continue;
        if (is_of_lines(s, w, low + im->base))
            add_span(w, low + im->base, high + im->base);
    }
}

size_t trc_code_of_lines(const trc_sites *s, const char *file, uint32_t from, uint32_t to,
                         trc_span *out, size_t max)
{
    wanted_lines w = {base_name(file), from, to, out, 0, max};
    for (uint32_t i = 0; s && i < s->n_images; i++) {
        image *im = &s->images[i];
        Dwarf_Off at = 0, next;
        Dwarf_Die unit;
        size_t head;
        read_dwarf(im);
        while (im->debug.dwarf &&
               dwarf_nextcu(im->debug.dwarf, at, &next, &head, NULL, NULL, NULL) == 0) {
            if (dwarf_offdie(im->debug.dwarf, at + head, &unit) && has_sites(im, &unit) &&
                has_file(&unit, w.file))
                add_unit(s, im, &unit, &w);
            at = next;
        }
    }
    return w.n;
}

/* ---- calls that are jumps ---- */

/* The bytes of the file at an address of it; NULL: they are not there. */
static const uint8_t *bytes_at(const image *im, uint64_t pc, size_t n)
{
    size_t n_headers = 0;
    if (elf_getphdrnum(im->elf, &n_headers) != 0)
        return NULL;
    for (size_t i = 0; i < n_headers; i++) {
        GElf_Phdr h;
        if (!gelf_getphdr(im->elf, (int)i, &h) || h.p_type != PT_LOAD || pc < h.p_vaddr ||
            pc - h.p_vaddr > h.p_filesz || n > h.p_filesz - (pc - h.p_vaddr))
            continue;
        Elf_Data *data =
            elf_getdata_rawchunk(im->elf, (int64_t)(h.p_offset + (pc - h.p_vaddr)), n,
                                 ELF_T_BYTE);
        return data ? data->d_buf : NULL;
    }
    return NULL;
}

/* Where a direct jump at the instruction leads; 0: it is none. */
static uint64_t jump_target(uint64_t pc, const uint8_t *at, size_t n)
{
#ifdef __aarch64__
    uint32_t word;
    if (n < 4 || pc % 4 != 0)
        return 0;
    memcpy(&word, at, 4);
    if ((word & 0xfc000000u) != 0x14000000u)
        return 0;
    return pc + (uint64_t)((int64_t)((int32_t)(word << 6)) >> 6) * 4;
#else
    int32_t distance;
    if (n < 5 || at[0] != 0xe9)
        return 0;
    memcpy(&distance, at + 1, 4);
    return pc + 5 + (uint64_t)(int64_t)distance;
#endif
}

bool trc_has_tail_call(const trc_sites *s, const trc_span *code)
{
    static const char plain[] = ".plain";
    image *im = image_of(s, code->low);
    if (!im || code->high <= code->low || code->high - code->low > 1 << 20)
        return false;
    read_symbols(im);
    uint64_t pc = code->low - im->base;
    size_t n = code->high - code->low;
    const symbol *own = symbol_at(&im->functions, pc);
    const uint8_t *at = bytes_at(im, pc, n);
    size_t len = own ? strlen(own->name) : 0, tail = sizeof plain - 1;
    if (!own || !at || (len > tail && strcmp(own->name + len - tail, plain) == 0))
        return false;
    for (size_t i = 0; i < n; i++) {
        uint64_t to = jump_target(pc + i, at + i, n - i);
        const symbol *other = to ? symbol_at(&im->functions, to) : NULL;
        if (other && other->address == to && to != own->address)
            return true;
    }
    return false;
}

const char *trc_build_id(const trc_sites *s)
{
    return s->build_id;
}

const char *trc_local_at(trc_sites *s, uint64_t return_address, uint64_t frame,
                         uint64_t address)
{
    image *im = return_address > 0 ? image_of(s, return_address - 1) : NULL;
    Dwarf_Die unit, variable;
    uint64_t offset = 0;
    if (!im)
        return "";
    uint64_t pc = return_address - 1 - im->base;
    read_dwarf(im);
    if (!im->debug.dwarf || !trc_code_find_unit(im->debug.dwarf, pc, &unit) ||
        !trc_code_local(&im->debug, &unit, pc, frame, address, &variable, &offset))
        return "";
    const trc_variable known = {TRC_VARIABLE_FOUND, dwarf_dieoffset(&variable)};
    td_text_clear(&s->object_name);
    td_text_add(&s->object_name, "%s", dwarf_diename(&variable));
    trc_object_path(im->debug.dwarf, known, offset, &s->object_name, NULL);
    return s->object_name.at;
}

/* ---- source text ---- */

static bool read_source(const char *path, td_text *out)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
           td_file_read(path, SOURCE_LIMIT, out, NULL) == TD_OK;
}

/* Reads the source file from its recorded path, otherwise from the program's folder: it may have been built
 * elsewhere. */
static void find_source(const trc_sites *s, const char *file, td_text *out)
{
    if (read_source(file, out) || file[0] == '/' || s->n_images == 0)
        return;
    const char *path = s->images[0].path;
    const char *slash = strrchr(path, '/');
    td_text beside = {0};
    td_text_put(&beside, path, slash ? (size_t)(slash + 1 - path) : 0);
    td_text_add(&beside, "%s", file);
    if (!read_source(beside.at, out))
        td_text_clear(out);
    td_text_fini(&beside);
}

/* Ends the line [start, end) there, without blanks behind it. */
static void add_line(source *f, size_t start, size_t end)
{
    if (f->n_lines == f->cap_lines)
        f->lines = td_grow(f->lines, &f->cap_lines, f->n_lines + 1, sizeof(size_t));
    f->lines[f->n_lines++] = start;
    while (end > start && strchr(" \t\r", f->bytes.at[end - 1]))
        end--;
    f->bytes.at[end] = '\0';
}

static void cut_lines(source *f)
{
    size_t start = 0;
    for (size_t i = 0; i < f->bytes.len; i++) {
        unsigned char c = (unsigned char)f->bytes.at[i];
        if (c == '\n') {
            add_line(f, start, i);
            start = i + 1;
        } else if ((c < 0x20 && c != '\t' && c != '\r') || c == 0x7f) {
            f->bytes.at[i] = '?';
        }
    }
    if (start < f->bytes.len)
        add_line(f, start, f->bytes.len);
}

static const source *source_of(trc_sites *s, const char *file)
{
    for (size_t i = 0; i < s->sources.len; i++)
        if (strcmp(s->sources.at[i].name, file) == 0)
            return &s->sources.at[i];
    source f = {.name = td_strdup(file)};
    find_source(s, file, &f.bytes);
    cut_lines(&f);
    source_vec_push(&s->sources, f);
    return &s->sources.at[s->sources.len - 1];
}

const char *trc_source_line(trc_sites *s, const char *file, uint32_t line)
{
    if (!s || !file || line == 0)
        return NULL;
    const source *f = source_of(s, file);
    if (line > f->n_lines)
        return NULL;
    return f->bytes.at + f->lines[line - 1];
}
