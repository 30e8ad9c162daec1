/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions are instrumented. treadle cc lists the functions of each object in a section that is
 * not loaded; the runtime reads it from the files of all images before the first run. A call of a
 * function that is in no list and that the library's tables do not know is a ledger line: what it
 * reads and writes is not seen.
 *
 * Inserted code passes callees that were found before by itself (PLAN_KNOWN). */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "runtime/rt.h"
#include "runtime/sys.h"

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

static bool is_instrumented(uint64_t address)
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
    char name[111]; /* "crc32 (libz.so.1)" */
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

/* Functions of the C library have rows in its table, or are passed through by name. */
static bool is_of_c_library(const char *path)
{
    const char *name = base_name(path);
    return strncmp(name, "libc.so", 7) == 0 || strncmp(name, "libm.so", 7) == 0 ||
           strncmp(name, "ld-", 3) == 0 || strncmp(name, "libgcc_s.so", 11) == 0;
}

/* By its address, or, where that is of an entry of a linkage table, behind that. */
static bool is_watched_as(const char *name, uint64_t address)
{
    void *behind = name[0] ? dlsym(RTLD_NEXT, name) : NULL;
    Dl_info there;
    if (strncmp(name, WIRE_PREFIX, sizeof WIRE_PREFIX - 1) == 0)
        return true;
    if (!behind || (uint64_t)behind == address)
        return false;
    return is_instrumented((uint64_t)behind) ||
           (dladdr(behind, &there) && is_of_c_library(there.dli_fname));
}

static void find_out(found *f, uint64_t address)
{
    Dl_info info = {0};
    *f = (found){.address = address};
    if (!dladdr((const void *)address, &info) || !info.dli_fname)
        info = (Dl_info){.dli_fname = ""};
    if (info.dli_sname && (uint64_t)info.dli_saddr == address)
        put(f->name, sizeof f->name, info.dli_sname);
    f->is_watched = is_instrumented(address) || is_of_c_library(info.dli_fname) ||
                    is_watched_as(f->name, address);
    if (f->is_watched)
        return;
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
        rt->active = false; /* nothing in here is an operation */
        find_out(f, address);
        rt->active = active;
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

void rt_foreign_called(uint64_t callee, uint32_t site)
{
    if (!rt_on() || !rt->found)
        return;
    const found *f = found_of(callee);
    if (f->is_watched)
        return;
    rt->self->foreign_site = site;
    rt_gap_once(WIRE_GAP_UNWATCHED, site, f->name);
}

RT_EXPORT void __treadle_slow_called(const void *callee, const wire_site *s)
{
    uint64_t address = (uint64_t)callee;
    uint64_t *known = &((uint64_t *)PLAN_KNOWN)[PLAN_KNOWN_INDEX(address)];
    if (!rt_controlled || is_instrumented(address)) {
        *known = address;
        return;
    }
    rt_changed();
    rt_foreign_called(address, rt_site_number((uint64_t)s));
}
