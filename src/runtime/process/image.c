/* SPDX-License-Identifier: Apache-2.0 */
/* Images and their site tables. */
#include "runtime/core/rt.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "runtime/core/sys.h"

/* Kept outside rt: images register before the process knows whether it is under control. */
typedef struct image {
    uint64_t first, end; /* of the site table */
    uint32_t first_site;
} image;

static image images[WIRE_MAX_IMAGES];
static uint32_t n_images;
static uint32_t n_sites = 1; /* 0 is unknown */
static bool too_many;        /* what the others do would not be seen */

RT_EXPORT void __treadle_image(const wire_site *first, const wire_site *end)
{
    if (first == end)
        return;
    if (n_images == WIRE_MAX_IMAGES) {
        too_many = true;
        if (rt_controlled)
            rt_images_publish();
        return;
    }
    images[n_images] = (image){(uint64_t)first, (uint64_t)end, n_sites};
    n_sites += (uint32_t)(end - first);
    n_images++;
    /* A library loaded later: treadle sees it with the next run. */
    if (rt_controlled && rt->shm->n_images < n_images)
        rt_images_publish();
}

uint32_t rt_site_number(uint64_t site)
{
    for (uint32_t i = 0; i < n_images; i++)
        if (site >= images[i].first && site < images[i].end)
            return images[i].first_site +
                   (uint32_t)((site - images[i].first) / sizeof(wire_site));
    return 0;
}

const wire_site *rt_site_by_number(uint32_t number)
{
    for (uint32_t i = 0; i < n_images; i++) {
        const wire_site *s =
            (const wire_site *)images[i].first + (number - images[i].first_site);
        if (number >= images[i].first_site && (uint64_t)s < images[i].end)
            return s;
    }
    return NULL;
}

/* Only functions that the program calls ask for it: where they keep their caller's frame pointer,
 * the stack of the program ended when it called. */
static void keep_stack_pointer(uint64_t frame)
{
#if defined(__x86_64__)
    rt->self->called_at = frame + 16;
#else
    rt->self->called_at = frame;
#endif
}

/* Of a call that other code made. */
static uint32_t site_of_foreign(uint64_t marker)
{
    if (!rt_on())
        return 0;
    uint32_t site = rt->self->foreign_site;
    if ((marker >> RT_SITE_USE) & ~(uint64_t)rt->uses)
        rt_refuse(
            "pthread_cancel, pthread_kill, pthread_key_delete or a name asked for by "
            "code that is not instrumented",
            site);
    return site;
}

uint32_t rt_call_site(void)
{
    if (rt_on())
        keep_stack_pointer(*(const uint64_t *)__builtin_frame_address(0));
    uint64_t site = PLAN_CTL->call_site;
    PLAN_CTL->call_site = 0;
    if (!site)
        return 0;
    bool is_foreign = site < RT_SITE_MARKERS;
    uint32_t number = is_foreign ? site_of_foreign(site) : rt_site_number(site);
    if (rt_on())
        rt->last_call = number;
    return number;
}

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
    search s = {in_table, out};
    dl_iterate_phdr(look, &s);
    out->first_site = images[index].first_site;
    out->n_sites =
        (uint32_t)((images[index].end - images[index].first) / sizeof(wire_site));
}

bool rt_images_make_inputs(void)
{
    for (uint32_t i = 0; i < n_images; i++) {
        const wire_site *end = (const wire_site *)images[i].end;
        for (const wire_site *s = (const wire_site *)images[i].first; s < end; s++)
            if (s->kind == WIRE_SITE_INPUT)
                return true;
    }
    return false;
}

static uint32_t use_of(const wire_site *s)
{
    const char *name = (const char *)&s->callee + s->callee;
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
    for (uint32_t i = 0; i < n_images; i++) {
        const wire_site *end = (const wire_site *)images[i].end;
        for (const wire_site *s = (const wire_site *)images[i].first; s < end; s++)
            if (s->kind == WIRE_SITE_USES)
                uses |= use_of(s);
    }
    return uses;
}

static bool polls(const wire_site *s)
{
    const char *callee = (const char *)&s->callee + s->callee;
    return s->kind == WIRE_SITE_CALL &&
           (strstr(callee, "poll") != NULL || strstr(callee, "select") != NULL);
}

static bool creates(const wire_site *s)
{
    const char *callee = (const char *)&s->callee + s->callee;
    return s->kind == WIRE_SITE_CALL &&
           (strcmp(callee, "pthread_create") == 0 || strcmp(callee, "thrd_create") == 0);
}

static bool any_site(bool (*is_one)(const wire_site *))
{
    for (uint32_t i = 0; i < n_images; i++) {
        const wire_site *end = (const wire_site *)images[i].end;
        for (const wire_site *s = (const wire_site *)images[i].first; s < end; s++)
            if (is_one(s))
                return true;
    }
    return false;
}

bool rt_images_poll(void)
{
    return any_site(polls);
}

static bool registers(const wire_site *s)
{
    const char *callee = (const char *)&s->callee + s->callee;
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
    for (uint32_t i = 0; i < n_images; i++) {
        const wire_site *end = (const wire_site *)images[i].end;
        for (const wire_site *s = (const wire_site *)images[i].first; s < end; s++)
            if (s->kind == WIRE_SITE_ATOMIC && s->size > 8)
                return true;
    }
    return false;
}

void rt_images_publish(void)
{
    if (too_many) {
        rt_sys_say("treadle: the program has more than 64 instrumented libraries\n");
        rt_sys_exit(71);
    }
    for (uint32_t i = 0; i < n_images; i++)
        describe(&rt->shm->images[i], images[i].first, i);
    for (; rt->n_listed < n_images; rt->n_listed++) {
        const wire_image *w = &rt->shm->images[rt->n_listed];
        rt_foreign_image(w->path, w->base);
    }
    rt->shm->n_images = n_images;
    for (uint32_t i = 0; i < n_images; i++) {
        const wire_image *w = &rt->shm->images[i];
        uint64_t here = (uint64_t)rt_images_publish;
        if (here < w->start || here >= w->end)
            continue;
        PLAN_CTL->image_start = w->start;
        PLAN_CTL->image_size = w->end - w->start;
    }
}
