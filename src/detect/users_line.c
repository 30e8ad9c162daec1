/* SPDX-License-Identifier: Apache-2.0 */
/* Whose code a place is, and the user's line that leads into the library. */
#include "detect/detect_int.h"

#include "base/assert.h"

/* ---- whose ---- */

bool det_is_ours(const char *file)
{
    const char *name = strrchr(file, '/');
    return strstr(file, "src/runtime/cxx/") || strstr(file, "/include/libc++/") ||
           (name && strcmp(name, "/treadle.hpp") == 0);
}

bool det_is_library(const char *file)
{
    const char *headers = strstr(file, "/include/");
    return (headers && strstr(headers, "/c++/")) || det_is_ours(file);
}

const char *det_basename(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool det_is_runtime(const trc_site *s)
{
    return strstr(s->file, "src/runtime/") != NULL ||
           strncmp(s->function, "rt_", 3) == 0 ||
           strncmp(s->function, "__treadle_", 10) == 0;
}

bool det_is_users(const trc_site *s)
{
    return s->line > 0 && !det_is_library(s->file) && !det_is_runtime(s);
}

/* ---- lines ---- */

/* The innermost line of the user's on a stack. */
static bool find_on_stack(const trc *t, const trc_sites *sites, uint32_t stack,
                          det_place *out)
{
    trc_site calls[TRC_MAX_CALLS];
    if (stack == 0 || stack >= t->stacks.len)
        return false;
    const trc_stack *frames = &t->stacks.at[stack];
    TD_ASSERT((size_t)frames->first + frames->n <= t->frames.len);
    for (uint32_t i = 0; i < frames->n; i++) {
        size_t n =
            trc_calls_at(sites, t->frames.at[frames->first + i], calls, TRC_MAX_CALLS);
        for (size_t k = 0; k < n; k++)
            if (det_is_users(&calls[k])) {
                *out = det_place_of(calls[k]);
                return true;
            }
    }
    return false;
}

/* The user's line that created a thread, or created the one that did. */
static bool find_created(const trc *t, const trc_sites *sites, uint32_t thread,
                         det_place *out)
{
    while (thread > 0 && thread < t->threads.len) {
        const trc_thread *at = &t->threads.at[thread];
        trc_site site = trc_site_at(sites, at->create_site);
        if (det_is_users(&site)) {
            *out = det_place_of(site);
            return true;
        }
        if (at->create_op < t->ops.len &&
            find_on_stack(t, sites, t->ops.at[at->create_op].stack, out))
            return true;
        TD_ASSERT(at->parent < thread);
        thread = at->parent;
    }
    return false;
}

static uint32_t stack_of_access(const trc *t, const det_spot *at)
{
    for (size_t i = t->accesses.len; i-- > 0;)
        if (t->accesses.at[i].thread == at->thread &&
            t->accesses.at[i].site == at->site && t->accesses.at[i].stack != 0)
            return t->accesses.at[i].stack;
    for (size_t i = t->ops.len; i-- > 0;)
        if (t->ops.at[i].thread == at->thread && t->ops.at[i].site == at->site &&
            t->ops.at[i].stack != 0)
            return t->ops.at[i].stack;
    return 0;
}

det_place det_users_place(const trc *t, const trc_sites *sites, const det_spot *at)
{
    det_place found = at->place;
    if (!det_is_library(at->place.file))
        return found;
    uint32_t stack = at->stack != 0 ? at->stack : stack_of_access(t, at);
    if (find_on_stack(t, sites, stack, &found) ||
        find_created(t, sites, at->thread, &found))
        return found;
    return (det_place){"", "library", 0};
}

trc_site det_users_site(const trc *t, const trc_sites *sites, uint32_t thread,
                        uint32_t site, uint32_t stack)
{
    trc_site at = trc_site_at(sites, site);
    det_spot spot = {det_place_of(at), thread, site, stack};
    det_place place = det_users_place(t, sites, &spot);
    at.file = place.file;
    at.function = place.function;
    at.line = place.line;
    return at;
}
