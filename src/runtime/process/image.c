/* SPDX-License-Identifier: Apache-2.0 */
/* Images and their site tables. */
#include "runtime/process/process.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "runtime/core/sys.h"
#include "runtime/posix/posix.h"

/* ---- description of images for treadle ---- */

typedef struct search {
    uint64_t address;
    wire_image *out;
} search;

static int look(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    search *s = data;
    uint64_t start = UINT64_MAX, end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        if (ph->p_type != PT_LOAD)
            continue;
        uint64_t at = info->dlpi_addr + ph->p_vaddr;
        start = at < start ? at : start;
        end = at + ph->p_memsz > end ? at + ph->p_memsz : end;
    }
    if (s->address < start || s->address >= end)
        return 0;
    s->out->base = info->dlpi_addr;
    s->out->start = start;
    s->out->end = end;
    const char *path = info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : "";
    strncpy(s->out->path, path, WIRE_PATH_BYTES - 1);
    return 1;
}

static void describe(wire_image *out, uint64_t in_table, uint32_t index)
{
    memset(out, 0, sizeof *out);
    RT_ASSERT(index < rt_known_images.n);
    search s = {in_table, out};
    dl_iterate_phdr(look, &s);
    out->first_site = rt_known_images.at[index].first_site;
    out->n_sites =
        (uint32_t)((rt_known_images.at[index].end - rt_known_images.at[index].first) /
                   sizeof(wire_site));
}

/* ---- facts from the sites ---- */

/* Returns the name of the function called. */
static const char *callee_of(const wire_site *s)
{
    const wire_site *of_file = (const wire_site *)((const char *)s + s->file);
    return (const char *)of_file + of_file->file + s->callee;
}

static uint32_t use_of(const wire_site *s)
{
    const char *name = callee_of(s);
#define X(function, use)                                                                 \
    if (strcmp(name, #function) == 0)                                                    \
        return WIRE_USES_##use;
    WIRE_WATCHED(X)
#undef X
    return strcmp(name, WIRE_LOOKS_AT_ADDRESSES) == 0 ? WIRE_USES_ADDRESSES : 0;
}

static bool is_one_of(const char *callee, const char *const *names, size_t n)
{
    size_t i = 0;
    while (i < n && strcmp(callee, names[i]) != 0)
        i++;
    return i < n;
}

static bool creates(const char *callee)
{
    static const char *const names[] = {"pthread_create", "thrd_create"};
    return is_one_of(callee, names, sizeof names / sizeof *names);
}

static bool registers(const char *callee)
{
    static const char *const names[] = {"atexit", "on_exit", "at_quick_exit",
                                        "__cxa_atexit", "__cxa_at_quick_exit"};
    return is_one_of(callee, names, sizeof names / sizeof *names);
}

static bool polls(const char *callee)
{
    return strstr(callee, "poll") != NULL || strstr(callee, "select") != NULL;
}

static bool tells_numbers(const char *callee)
{
    static const char *const names[] = {
#define X(function) #function,
        WIRE_DESCRIPTORS(X) WIRE_NUMBERS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(callee, names[i], n) == 0 &&
            (callee[n] == 0 || strcmp(callee + n, "64") == 0))
            return true;
    }
    return false;
}

static bool sends(const char *callee)
{
    static const char *const names[] = {
#define X(function, argument) #function,
        WIRE_SENDERS(X)
#undef X
    };
    return is_one_of(callee, names, sizeof names / sizeof *names);
}

static void look_at_call(const wire_site *s, rt_images_facts *out)
{
    const char *callee = callee_of(s);
    if (s->size >= 1 && s->size <= 64 && sends(callee))
        out->sends |= UINT64_C(1) << (s->size - 1);
    out->creates = out->creates || creates(callee);
    out->registers = out->registers || registers(callee);
    out->polls = out->polls || polls(callee);
    out->makes_sockets = out->makes_sockets || strcmp(callee, "socket") == 0;
    out->tells_numbers = out->tells_numbers || tells_numbers(callee);
}

static void look_at_site(const wire_site *s, rt_images_facts *out)
{
    switch (s->kind) {
    case WIRE_SITE_CALL:
        look_at_call(s, out);
        break;
    case WIRE_SITE_USES:
        out->uses |= use_of(s);
        break;
    case WIRE_SITE_OTHER:
        out->calls_others = out->calls_others || callee_of(s)[0];
        break;
    case WIRE_SITE_INPUT:
        out->makes_inputs = true;
        break;
    case WIRE_SITE_ATOMIC:
        out->has_wide |= s->size > 8;
        break;
    default:
        break;
    }
}

rt_images_facts rt_images_look(void)
{
    rt_images_facts out = {0};
    for (uint32_t i = 0; i < rt_known_images.n; i++) {
        const wire_site *s = (const wire_site *)rt_known_images.at[i].first;
        const wire_site *end = (const wire_site *)rt_known_images.at[i].end;
        for (; s < end; s++)
            look_at_site(s, &out);
    }
    return out;
}

/* ---- all images ---- */

void rt_images_publish(void)
{
    RT_ASSERT(rt_known_images.n <= WIRE_MAX_IMAGES);
    if (rt_known_images.too_many) {
        rt_sys_say("treadle: the program has more than 64 instrumented libraries\n");
        rt_sys_exit(71);
    }
    for (uint32_t i = 0; i < rt_known_images.n; i++)
        describe(&rt->shm->images[i], rt_known_images.at[i].first, i);
    for (; rt->n_listed < rt_known_images.n; rt->n_listed++) {
        const wire_image *w = &rt->shm->images[rt->n_listed];
        rt_foreign_image(w->path, w->base);
    }
    rt->shm->n_images = rt_known_images.n;
    for (uint32_t i = 0; i < rt_known_images.n; i++) {
        const wire_image *w = &rt->shm->images[i];
        uint64_t here = (uint64_t)rt_images_publish;
        if (here < w->start || here >= w->end)
            continue;
        PLAN_CTL->image_start = w->start;
        PLAN_CTL->image_size = w->end - w->start;
    }
}
