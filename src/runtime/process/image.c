/* SPDX-License-Identifier: Apache-2.0 */
/* Images and their site tables. */
#include "runtime/process/process.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "runtime/core/sys.h"
#include "runtime/posix/posix.h"

/* ---- what treadle is told ---- */

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

bool rt_images_make_inputs(void)
{
    for (uint32_t i = 0; i < rt_known_images.n; i++) {
        const wire_site *end = (const wire_site *)rt_known_images.at[i].end;
        for (const wire_site *s = (const wire_site *)rt_known_images.at[i].first; s < end;
             s++)
            if (s->kind == WIRE_SITE_INPUT)
                return true;
    }
    return false;
}

/* The name of the function called. */
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

uint32_t rt_images_uses(void)
{
    uint32_t uses = 0;
    for (uint32_t i = 0; i < rt_known_images.n; i++) {
        const wire_site *end = (const wire_site *)rt_known_images.at[i].end;
        for (const wire_site *s = (const wire_site *)rt_known_images.at[i].first; s < end;
             s++)
            if (s->kind == WIRE_SITE_USES)
                uses |= use_of(s);
    }
    return uses;
}

static bool polls(const wire_site *s)
{
    const char *callee = callee_of(s);
    return s->kind == WIRE_SITE_CALL &&
           (strstr(callee, "poll") != NULL || strstr(callee, "select") != NULL);
}

static bool makes_sockets(const wire_site *s)
{
    const char *callee = callee_of(s);
    return s->kind == WIRE_SITE_CALL && strcmp(callee, "socket") == 0;
}

static bool creates(const wire_site *s)
{
    const char *callee = callee_of(s);
    return s->kind == WIRE_SITE_CALL &&
           (strcmp(callee, "pthread_create") == 0 || strcmp(callee, "thrd_create") == 0);
}

static bool any_site(bool (*is_one)(const wire_site *))
{
    for (uint32_t i = 0; i < rt_known_images.n; i++) {
        const wire_site *end = (const wire_site *)rt_known_images.at[i].end;
        for (const wire_site *s = (const wire_site *)rt_known_images.at[i].first; s < end;
             s++)
            if (is_one(s))
                return true;
    }
    return false;
}

bool rt_images_poll(void)
{
    return any_site(polls);
}

bool rt_images_have_sockets(void)
{
    return any_site(makes_sockets);
}

static bool tells_numbers(const wire_site *s)
{
    static const char *const names[] = {
#define X(function) #function,
        WIRE_DESCRIPTORS(X) WIRE_NUMBERS(X)
#undef X
    };
    const char *callee = callee_of(s);
    for (size_t i = 0; s->kind == WIRE_SITE_CALL && i < sizeof names / sizeof *names;
         i++) {
        size_t n = strlen(names[i]);
        if (strncmp(callee, names[i], n) == 0 &&
            (callee[n] == 0 || strcmp(callee + n, "64") == 0))
            return true;
    }
    return false;
}

bool rt_images_tell_numbers(void)
{
    return any_site(tells_numbers);
}

static bool registers(const wire_site *s)
{
    const char *callee = callee_of(s);
    return s->kind == WIRE_SITE_CALL &&
           (strcmp(callee, "atexit") == 0 || strcmp(callee, "on_exit") == 0 ||
            strcmp(callee, "at_quick_exit") == 0 || strcmp(callee, "__cxa_atexit") == 0 ||
            strcmp(callee, "__cxa_at_quick_exit") == 0);
}

bool rt_images_register(void)
{
    return any_site(registers);
}

bool rt_images_create(void)
{
    return any_site(creates);
}

bool rt_images_have_wide(void)
{
    for (uint32_t i = 0; i < rt_known_images.n; i++) {
        const wire_site *end = (const wire_site *)rt_known_images.at[i].end;
        for (const wire_site *s = (const wire_site *)rt_known_images.at[i].first; s < end;
             s++)
            if (s->kind == WIRE_SITE_ATOMIC && s->size > 8)
                return true;
    }
    return false;
}

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
