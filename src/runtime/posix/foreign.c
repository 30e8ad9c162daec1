/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions are instrumented. treadle cc lists the functions of each object in a section that is
 * not loaded; the runtime reads it from the files of all images before the first run. A call of a
 * function that is in no list and that the library's tables do not know is a ledger line: what it
 * reads and writes is not seen.
 *
 * Inserted code passes callees that were found before by itself (PLAN_KNOWN). */
#include "runtime/posix/posix.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "runtime/core/sys.h"
#include "runtime/posix/atomic_code.h"
#include "wire/library.h"

/* The bounds of what real.c exports; none in static programs. */
extern const char __start_treadle_exports[] __attribute__((weak, visibility("hidden")));
extern const char __stop_treadle_exports[] __attribute__((weak, visibility("hidden")));

/* ---- files ---- */

typedef struct file {
    const uint8_t *at;
    uint64_t size;
} file;

static bool file_open(file *f, const char *path)
{
    struct stat st;
    long fd = rt_sys6(SYS_openat, AT_FDCWD, (long)(path[0] ? path : "/proc/self/exe"),
                      O_RDONLY | O_CLOEXEC, 0, 0, 0);
    if (fd < 0)
        return false;
    long at = -1;
    if (rt_sys6(SYS_newfstatat, fd, (long)"", (long)&st, AT_EMPTY_PATH, 0, 0) == 0)
        at = rt_sys6(SYS_mmap, 0, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    rt_sys(SYS_close, fd, 0, 0);
    *f = (file){(const uint8_t *)at, (uint64_t)st.st_size};
    return !(at < 0 && at > -4096);
}

static void file_close(const file *f)
{
    rt_sys(SYS_munmap, (long)f->at, (long)f->size, 0);
}

static const void *part(const file *f, uint64_t at, uint64_t size)
{
    return at <= f->size && size <= f->size - at ? f->at + at : NULL;
}

/* The section of that name, or NULL. */
static const Elf64_Shdr *section(const file *f, const char *name)
{
    const Elf64_Ehdr *head = part(f, 0, sizeof *head);
    if (!head || head->e_shentsize != sizeof(Elf64_Shdr))
        return NULL;
    const Elf64_Shdr *all = part(f, head->e_shoff, head->e_shnum * sizeof *all);
    if (!all || head->e_shstrndx >= head->e_shnum)
        return NULL;
    const Elf64_Shdr *names = &all[head->e_shstrndx];
    for (uint32_t i = 0; i < head->e_shnum; i++) {
        const char *text = part(f, names->sh_offset + all[i].sh_name, strlen(name) + 1);
        if (text && strcmp(text, name) == 0)
            return &all[i];
    }
    return NULL;
}

/* ---- the functions of all images ---- */

static uint64_t *place_of(uint64_t *set, uint64_t cap, uint64_t address)
{
    RT_ASSERT((cap & (cap - 1)) == 0);
    uint64_t i = address * UINT64_C(0x9e3779b97f4a7c15) >> 20;
    while (set[i & (cap - 1)] && set[i & (cap - 1)] != address)
        i++;
    return &set[i & (cap - 1)];
}

/* Room for n more, so that half of it stays free. */
static void make_room(uint64_t n)
{
    uint64_t cap = rt->cap_functions ? rt->cap_functions : 1024;
    while (cap < 2 * (rt->n_functions + n + 1))
        cap *= 2;
    if (cap == rt->cap_functions)
        return;
    uint64_t *more = rt_saved_alloc(cap * sizeof *more);
    memset(more, 0, cap * sizeof *more);
    for (uint64_t i = 0; i < rt->cap_functions; i++)
        if (rt->functions[i])
            *place_of(more, cap, rt->functions[i]) = rt->functions[i];
    rt->functions = more;
    rt->cap_functions = cap;
    RT_ASSERT(rt->cap_functions >=
              2 * (rt->n_functions + n + 1)); /* a free place ends the loop */
}

void rt_foreign_image(const char *path, uint64_t base)
{
    file f;
    if (!file_open(&f, path))
        return;
    const Elf64_Shdr *s = section(&f, WIRE_CODE_SECTION);
    const uint64_t *at = s ? part(&f, s->sh_offset, s->sh_size) : NULL;
    uint64_t n = at ? s->sh_size / sizeof *at : 0;
    make_room(n);
    for (uint64_t i = 0; i < n; i++) {
        if (at[i] == 0) /* the linker dropped it */
            continue;
        *place_of(rt->functions, rt->cap_functions, base + at[i]) = base + at[i];
        rt->n_functions++;
    }
    file_close(&f);
}

bool rt_is_instrumented(uint64_t address)
{
    return rt->cap_functions > 0 &&
           *place_of(rt->functions, rt->cap_functions, address) == address;
}

/* ---- other functions ---- */

#define N_FOUND 4096u

/* What was found out about a function; in the state, so that it is done once. */
typedef struct rt_found {
    uint64_t address;
    bool is_watched;
    bool orders;    /* not watched, and with atomic instructions or system calls */
    char name[110]; /* "crc32 (libz.so.1)" */
} found;

static void put(char *out, size_t size, const char *text)
{
    size_t n = strlen(out);
    while (*text && n + 1 < size)
        out[n++] = *text++;
    out[n] = 0;
}

/* A name from the table of symbols of its file, which has more than can be found dynamically. */
static void name_from_file(const Dl_info *info, uint64_t address, char *out, size_t size)
{
    file f;
    uint64_t base = (uint64_t)info->dli_fbase;
    if (!file_open(&f,
                   info->dli_fname && info->dli_fname[0] == '/' ? info->dli_fname : ""))
        return;
    const Elf64_Ehdr *head = part(&f, 0, sizeof *head);
    const Elf64_Shdr *table = section(&f, ".symtab"), *texts = section(&f, ".strtab");
    const Elf64_Sym *at = table ? part(&f, table->sh_offset, table->sh_size) : NULL;
    if (head && head->e_type == ET_EXEC)
        base = 0;
    for (uint64_t i = 0; at && texts && i < table->sh_size / sizeof *at; i++) {
        const char *name = part(&f, texts->sh_offset + at[i].st_name, 1);
        if (name && ELF64_ST_TYPE(at[i].st_info) == STT_FUNC &&
            base + at[i].st_value == address) {
            put(out, size, name);
            break;
        }
    }
    file_close(&f);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool rt_is_image(const char *path, const char *name)
{
    return strncmp(base_name(path), name, strlen(name)) == 0;
}

static bool is_known_place(const Dl_info *info, uint64_t address)
{
    return info->dli_sname && (uint64_t)info->dli_saddr == address;
}

/* ---- the C library ---- */

/* Values in, a value out (wire/library.h); functions with other rows are reached through thunks, so a
 * function at the C library's own address is not instrumented. */
static bool is_of_values(const char *name)
{
    static const char *const values[] = {
#define X(function) #function,
        WIRE_VALUES(X)
#undef X
    };
    static const char *const math[] = {
#define X(function) #function,
        WIRE_VALUES_MATH(X)
#undef X
    };
    static const struct {
        const char *name, *signature;
    } rows[] = {
#define X(function, signature) {#function, signature},
        WIRE_LIBRARY(X)
#undef X
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (strcmp(values[i], name) == 0)
            return true;
    for (size_t i = 0; i < sizeof math / sizeof math[0]; i++) {
        size_t n = strlen(math[i]);
        if (strncmp(math[i], name, n) == 0 &&
            name[n + strspn(name + n, "fl0123468x")] == 0)
            return true;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].signature[strspn(rows[i].signature, "vfc ")] == 0;
    return false;
}

/* The same; a constructor or destructor of C++ has two names, and the loader may report either. */
static bool is_of_values_by_any_name(const char *name)
{
    char other[128] = "";
    if (is_of_values(name))
        return true;
    put(other, sizeof other, name);
    char *version = strstr(other, "D2E") ? strstr(other, "D2E") : strstr(other, "C2E");
    if (!version || strncmp(name, "_Z", 2) != 0)
        return false;
    version[1] = '1';
    return is_of_values(other);
}

/* What has no name in libm was chosen for this machine: sin, floor, fma and their like. Those
 * that write memory have rows. */
static bool is_chosen_math(const char *path, uint64_t address)
{
    static const char *const writing[] = {"sincos", "sincosf", "modf",   "modff",
                                          "frexp",  "frexpf",  "remquo", "remquof"};
    if (!rt_is_image(path, "libm.so"))
        return false;
    for (size_t i = 0; i < sizeof writing / sizeof writing[0]; i++)
        if ((uint64_t)dlsym(RTLD_NEXT, writing[i]) == address)
            return false;
    return true;
}

/* The loader, and what unwinds the stack: they touch nothing that is the program's. */
static bool is_of_loader(const char *path)
{
    return rt_is_image(path, "ld-") || rt_is_image(path, "libgcc_s.so");
}

/* Returns the target of an entry of a linkage table, also of a function that is chosen when the program is
 * loaded; 0 if it is not an entry. */
static uint64_t behind_entry(uint64_t address)
{
    const uint8_t *code = (const uint8_t *)address;
    uint64_t target = 0;
#if defined(__x86_64__)
    static const uint8_t endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
    int32_t distance;
    code += memcmp(code, endbr, sizeof endbr) == 0 ? sizeof endbr : 0;
    code += *code == 0xf2; /* bnd */
    if (code[0] != 0xff || code[1] != 0x25)
        return 0;
    memcpy(&distance, code + 2, sizeof distance);
    memcpy(&target, code + 6 + distance, sizeof target);
#else
    uint32_t word[2];
    code += memcmp(code, "\x5f\x24\x03\xd5", 4) == 0 ? 4 : 0; /* bti c */
    memcpy(word, code, sizeof word);
    if ((word[0] & 0x9f00001fu) != 0x90000010u || (word[1] & 0xffc003ffu) != 0xf9400211u)
        return 0; /* adrp x16; ldr x17, [x16, #] */
    uint64_t pages = (word[0] >> 3 & 0x1ffffcu) | (word[0] >> 29 & 3u);
    pages |= pages & 0x100000u ? ~UINT64_C(0xfffff) : 0;
    uint64_t slot = ((uint64_t)code & ~UINT64_C(0xfff)) + (pages << 12);
    memcpy(&target, (const void *)(slot + (word[1] >> 10 & 0xfffu) * 8), sizeof target);
#endif
    return target;
}

/* Returns the function that a call of the address reaches. An entry that was never called leads to the
 * loader: then the function is found by name. */
static uint64_t reached(uint64_t address)
{
    Dl_info info;
    if (rt_is_instrumented(address) || !dladdr((const void *)address, &info))
        return address;
    uint64_t target = behind_entry(address);
    if (!target)
        return address;
    Dl_info there = {0};
    bool is_same = dladdr((const void *)target, &there) && is_known_place(&there, target);
    if (is_same || rt_is_instrumented(target) || there.dli_fbase != info.dli_fbase)
        return target;
    void *behind = NULL;
    if (info.dli_sname && (uint64_t)info.dli_saddr == address)
        behind = dlsym(RTLD_NEXT, info.dli_sname);
    return behind ? (uint64_t)behind : target;
}

/* A function of the runtime under the name that the C library has for it. */
static bool is_exported(uint64_t address)
{
    return address >= (uint64_t)__start_treadle_exports &&
           address < (uint64_t)__stop_treadle_exports;
}

/* The destructor that the C compiler puts into each image begins with a look at a byte, whether it was called: cmpb
 * $0, byte. Libraries have no name for it. */
static bool is_compilers(const char *name, const Dl_info *info, uint64_t address)
{
    static const char own[] = "__do_global_dtors_aux";
    char text[sizeof own + 1] = "";
    if (name[0])
        return false;
    name_from_file(info, address, text, sizeof text);
    if (text[0])
        return strcmp(text, own) == 0;
#if defined(__x86_64__)
    const uint8_t *code = (const uint8_t *)address;
    code += memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0 ? 4 : 0;
    return code[0] == 0x80 && code[1] == 0x3d && code[6] == 0;
#else
    return false;
#endif
}

/* What has no name in libstdc++ it gives to others itself: starts of threads, which call what std::thread was
 * given, and destructors. It touches nothing that is not the library's. */
static bool is_of_cxx(const char *name, const Dl_info *info)
{
    return !name[0] && rt_is_image(info->dli_fname, "libstdc++.so");
}

static bool is_watched(const char *name, const Dl_info *info, uint64_t address)
{
    if (rt_is_instrumented(address) || is_exported(address) ||
        is_of_loader(info->dli_fname))
        return true;
    if (is_of_cxx(name, info) || (info->dli_fbase && is_compilers(name, info, address)))
        return true;
    if (info->dli_fbase == rt->own_base)
        return strncmp(name, WIRE_PREFIX, sizeof WIRE_PREFIX - 1) == 0;
    bool is_c_library = rt_is_image(info->dli_fname, "libc.so") ||
                        rt_is_image(info->dli_fname, "libm.so") ||
                        rt_is_image(info->dli_fname, "libstdc++.so") ||
                        rt_is_image(info->dli_fname, "libc++.so") ||
                        rt_is_image(info->dli_fname, "libc++abi.so");
    return is_c_library && (name[0] ? is_of_values_by_any_name(name)
                                    : is_chosen_math(info->dli_fname, address));
}

/* The lowest function of a table behind the address, or limit. */
static uint64_t next_function(const file *f, const char *name, uint64_t base,
                              uint64_t address, uint64_t limit)
{
    const Elf64_Shdr *table = section(f, name);
    const Elf64_Sym *at = table ? part(f, table->sh_offset, table->sh_size) : NULL;
    for (uint64_t i = 0; at && i < table->sh_size / sizeof *at; i++) {
        uint64_t value = base + at[i].st_value;
        if (at[i].st_shndx != SHN_UNDEF && ELF64_ST_TYPE(at[i].st_info) == STT_FUNC &&
            value > address && value < limit)
            limit = value;
    }
    return limit;
}

#define LARGEST_FUNCTION 0x100000u

/* True if the function, or one without a name behind it, which may be a part of it, synchronises threads. */
static bool orders_unseen(const Dl_info *info, uint64_t address)
{
    file f;
    uint64_t base = (uint64_t)info->dli_fbase, limit = address + LARGEST_FUNCTION;
    if (!base ||
        !file_open(&f,
                   info->dli_fname && info->dli_fname[0] == '/' ? info->dli_fname : ""))
        return true;
    const Elf64_Ehdr *head = part(&f, 0, sizeof *head);
    const Elf64_Shdr *text = section(&f, ".text");
    base = head && head->e_type == ET_EXEC ? 0 : base;
    uint64_t first = text ? base + text->sh_addr : 0;
    uint64_t end = text ? first + text->sh_size : 0;
    limit = next_function(&f, ".dynsym", base, address, limit < end ? limit : end);
    limit = next_function(&f, ".symtab", base, address, limit);
    file_close(&f);
    return address < first || address >= end ||
           rt_code_synchronises((const uint8_t *)address, limit - address);
}

static void find_out(found *f, uint64_t address)
{
    Dl_info info = {0};
    *f = (found){.address = address};
    address = reached(address);
    if (!dladdr((const void *)address, &info) || !info.dli_fname)
        info = (Dl_info){.dli_fname = ""};
    if (is_known_place(&info, address))
        put(f->name, sizeof f->name, info.dli_sname);
    f->is_watched = is_watched(f->name, &info, address);
    if (f->is_watched)
        return;
    f->orders = orders_unseen(&info, address);
    if (!f->name[0] && info.dli_fbase)
        name_from_file(&info, address, f->name, sizeof f->name);
    if (!f->name[0])
        put(f->name, sizeof f->name, "a function without a name");
    if (info.dli_fbase && info.dli_fbase != rt->own_base) {
        put(f->name, sizeof f->name, " (");
        put(f->name, sizeof f->name, base_name(info.dli_fname));
        put(f->name, sizeof f->name, ")");
    }
}

static found *found_of(uint64_t address)
{
    found *f = &rt->found[(address >> 4) % N_FOUND];
    if (f->address != address) {
        bool active = rt->active;
        uint64_t site = PLAN_CTL->call_site;
        rt->active =
            false; /* nothing in here is an operation, or a call of the program */
        find_out(f, address);
        rt->active = active;
        PLAN_CTL->call_site = site;
    }
    return f;
}

void rt_foreign_prepare(void)
{
    Dl_info info;
    rt->found = rt_saved_alloc(N_FOUND * sizeof(found));
    memset(rt->found, 0, N_FOUND * sizeof(found));
    if (dladdr((const void *)rt_foreign_prepare, &info))
        rt->own_base = info.dli_fbase;
}

static enum wire_gap gap_of(const found *f)
{
    return f->orders ? WIRE_GAP_ORDERS : WIRE_GAP_UNWATCHED;
}

/* kind: WIRE_GAP_UNWATCHED or WIRE_GAP_ORDERS. */
static void unwatched(enum wire_gap kind, uint32_t site, const char *name)
{
    if (rt_is_alone() && !rt->symbolic) {
        rt->entered_alone = true;
        rt_gap_once(WIRE_GAP_ALONE, 0, "code that is not instrumented");
        return;
    }
    rt_gap_once(kind, site, name);
}

void rt_foreign_called(uint64_t callee, uint32_t site)
{
    if (!rt_on() || !rt->found)
        return;
    if (!rt_is_instrumented(callee))
        rt_changed();
    const found *f = found_of(callee);
    if (f->is_watched)
        return;
    rt->self->foreign_site = rt->last_call = site;
    unwatched(gap_of(f), site, f->name);
}

void rt_foreign_given(uint64_t callee, uint32_t site)
{
    if (!rt_on() || !rt->found || found_of(callee)->is_watched)
        return;
    rt_changed();
    rt_gap_once(gap_of(found_of(callee)), site, found_of(callee)->name);
}

void rt_unwatched(uint32_t site, const char *name)
{
    unwatched(WIRE_GAP_UNWATCHED, site, name);
}

static bool has_row(const char *name)
{
    static const char *const rows[] = {
#define X(function, signature) #function,
        WIRE_LIBRARY(X)
#undef X
    };
    size_t i = 0;
    while (i < sizeof rows / sizeof rows[0] && strcmp(rows[i], name) != 0)
        i++;
    return i < sizeof rows / sizeof rows[0];
}

bool rt_foreign_is_known(uint64_t start)
{
    if (rt_is_instrumented(start))
        return true;
    const found *f = found_of(start);
    size_t n = strcspn(f->name, " ");
    char name[sizeof f->name];
    memcpy(name, f->name, n);
    name[n] = 0;
    return f->is_watched || has_row(name);
}

void rt_foreign_name(uint64_t address, char *out, size_t size)
{
    out[0] = 0;
    put(out, size, found_of(address)->name);
}

/* A function of libc/, which is ours, calls one of the program; the instrumenter puts this before each such call. */
RT_EXPORT void __treadle_called_back(const void *callee)
{
    if (rt_on() && !rt_is_instrumented((uint64_t)callee))
        rt_foreign_called((uint64_t)callee, PLAN_CTL->inner_site
                                                ? rt_site_number(PLAN_CTL->inner_site)
                                                : rt->last_call);
}

RT_EXPORT void __treadle_slow_called(const void *callee, const wire_site *s)
{
    uint64_t address = (uint64_t)callee;
    uint64_t *known = &((uint64_t *)PLAN_KNOWN)[PLAN_KNOWN_INDEX(address)];
    if (!rt_controlled || rt_is_instrumented(address)) {
        *known = address;
        return;
    }
    rt_changed();
    rt_foreign_called(address, rt_site_number((uint64_t)s));
}
