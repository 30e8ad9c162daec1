/* SPDX-License-Identifier: Apache-2.0 */
/* The places of acts: the calls that lead to them, from return addresses. */
#include "report/text/report_int.h"

#include <string.h>

#include "base/assert.h"
#include "base/readable.h"

#define MAX_CALLS 48u /* longest path */

static bool is_lambda(const char *function, const char *symbol)
{
    return symbol && strcmp(function, "operator()") == 0 &&
           (strstr(symbol, "$_") || strstr(symbol, "Ul"));
}

/* Names with many template arguments take long to read, and runs have many acts. NULL: it was not read yet. */
static const char *known_as(const rep_story *s, const char *name)
{
    uint32_t at = rep_map_get(&s->said_by_name, (uint64_t)(uintptr_t)name);
    return at == REP_NONE ? NULL : s->kept.at[at];
}

static const char *keep_as(rep_story *s, const char *name, td_text *text)
{
    const char *kept = rep_keep(s, text);
    if (kept[0])
        rep_map_put(&s->said_by_name, (uint64_t)(uintptr_t)name,
                    (uint32_t)s->kept.len - 1);
    return kept;
}

/* Returns the function's readable name. */
static const char *said(rep_story *s, const char *function, const char *symbol)
{
    td_text text = {0};
    if (is_lambda(function, symbol))
        return "lambda";
    if (!strchr(function, '<'))
        return function;
    const char *known = known_as(s, function);
    if (known)
        return known;
    td_readable_name(function, &text);
    return keep_as(s, function, &text);
}

static rep_place place_of(rep_story *s, const trc_site *site)
{
    return (rep_place){site->file, said(s, site->function, site->symbol), site->line,
                       site->symbol};
}

/* Takes over the places as a path. */
static uint32_t add_path(rep_story *s, const rep_place *places, uint32_t n)
{
    TD_ASSERT(n >= 1);
    rep_path_vec_push(&s->paths, (rep_path){.first = (uint32_t)s->places.len, .n = n});
    rep_place_vec_append(&s->places, places, n);
    return (uint32_t)s->paths.len - 1;
}

/* Returns the calls of a return address, innermost first, as a path; REP_NONE: none. */
static uint32_t calls_at(rep_story *s, uint64_t address)
{
    trc_site sites[TRC_MAX_CALLS];
    rep_place places[TRC_MAX_CALLS];
    uint32_t known = rep_map_get(&s->call_by_address, address);
    if (known != REP_NONE)
        return known == 0 ? REP_NONE : known - 1;
    size_t n = s->names->calls(s->names->ctx, address, sites, TRC_MAX_CALLS);
    TD_ASSERT(n <= TRC_MAX_CALLS);
    for (size_t i = 0; i < n; i++)
        places[i] = place_of(s, &sites[i]);
    uint32_t path = n > 0 ? add_path(s, places, (uint32_t)n) : REP_NONE;
    rep_map_put(&s->call_by_address, address, path + 1); /* 0 for REP_NONE */
    return path;
}

/* All calls of a stack, innermost first; at most MAX_CALLS. */
static uint32_t calls_of(rep_story *s, uint32_t stack, rep_place out[MAX_CALLS])
{
    const trc_stack *frames = &s->run->stacks.at[stack];
    TD_ASSERT((size_t)frames->first + frames->n <= s->run->frames.len);
    uint32_t n = 0;
    for (uint32_t i = 0; i < frames->n; i++) {
        uint32_t calls = calls_at(s, s->run->frames.at[frames->first + i]);
        if (calls == REP_NONE)
            continue;
        for (uint32_t k = 0; k < s->paths.at[calls].n && n < MAX_CALLS; k++)
            out[n++] = *rep_path_place(s, calls, k);
    }
    return n;
}

static bool is_users(const rep_place *p)
{
    return p->line > 0 && !det_is_library(p->file);
}

/* The function that a line of the user's calls: with its class, where that is known. */
static const char *library_of(rep_story *s, const rep_place *p)
{
    td_text text = {0};
    if (!p->symbol || strncmp(p->symbol, "_Z", 2) != 0)
        return p->function;
    const char *known = known_as(s, p->symbol);
    if (known)
        return known;
    td_text symbol = {0};
    td_text_put(&symbol, p->symbol,
                strcspn(p->symbol, ".")); /* a copy of it: ".symbolic" */
    td_readable(symbol.at, &text);
    td_text_fini(&symbol);
    return keep_as(s, p->symbol, &text);
}

/* A path of the n places, without those in the library; the last of them is the act's own. */
static uint32_t add_users_path(rep_story *s, rep_place *places, uint32_t n)
{
    TD_ASSERT(n >= 1);
    uint32_t last = n, kept = 0;
    while (last > 0 && det_is_library(places[last - 1].file))
        last--;
    if (last == 0)
        return add_path(s, places, n);
    const char *library = last < n ? library_of(s, &places[last]) : NULL;
    rep_place inside = places[n - 1];
    for (uint32_t i = 0; i < last; i++)
        if (!det_is_library(places[i].file))
            places[kept++] = places[i];
    uint32_t path = add_path(s, places, kept);
    s->paths.at[path].library = library;
    s->paths.at[path].inside = inside;
    return path;
}

/* The site gives the place of the act, the stack the callers of its function. Frames below that function are
 * the runtime's. */
static uint32_t make_path(rep_story *s, uint32_t stack, const rep_place *own)
{
    rep_place calls[MAX_CALLS], path[MAX_CALLS + 1];
    bool has_stack = stack > 0 && stack < s->run->stacks.len && s->names->calls != NULL;
    uint32_t n = has_stack ? calls_of(s, stack, calls) : 0, inner = 0, k = 0;
    while (inner < n && strcmp(calls[inner].function, own->function) != 0)
        inner++;
    bool is_found = inner < n;
    /* The library is called by whatever is on the stack. */
    uint32_t first = is_found ? inner + 1 : det_is_library(own->file) ? 0 : n;
    for (uint32_t i = n; i-- > first;)
        path[k++] = calls[i];
    path[k++] = *own;
    if (is_found)
        path[k - 1].symbol = calls[inner].symbol;
    TD_ASSERT(k <= MAX_CALLS + 1);
    return add_users_path(s, path, k);
}

static uint64_t key_of(uint32_t stack, uint32_t site)
{
    return (uint64_t)stack << 32 | site;
}

uint32_t rep_known_path(const rep_story *s, uint32_t stack, uint32_t site)
{
    return rep_map_get(&s->path_by_stack, key_of(stack, site));
}

static uint32_t path_of(rep_story *s, uint32_t stack, uint32_t site)
{
    uint32_t known = rep_known_path(s, stack, site);
    if (known != REP_NONE)
        return known;
    trc_site at = s->names->site(s->names->ctx, site);
    rep_place own = place_of(s, &at);
    uint32_t path = make_path(s, stack, &own);
    rep_map_put(&s->path_by_stack, key_of(stack, site), path);
    return path;
}

/* For threads that wait forever: returns the path at which the thread of the finding waits. */
static uint32_t path_of_wait(const rep_story *s)
{
    const det_finding *f = s->f->finding;
    for (size_t i = s->acts.len; det_is_stuck(f->kind) && i-- > 0;) {
        const rep_act *a = &s->acts.at[i];
        trc_site at = s->names->site(s->names->ctx, a->site);
        if (a->kind == REP_WAITS && a->thread == f->thread && at.line == f->line &&
            strcmp(at.file, f->file) == 0)
            return a->path;
    }
    return REP_NONE;
}

/* The innermost line of the user's on a stack, of a failure that has no place of its own. */
static uint32_t path_of_stack(rep_story *s, uint32_t stack, uint32_t otherwise)
{
    rep_place calls[MAX_CALLS], path[MAX_CALLS];
    bool has_stack = stack > 0 && stack < s->run->stacks.len && s->names->calls != NULL;
    uint32_t n = has_stack ? calls_of(s, stack, calls) : 0, k = 0;
    for (uint32_t i = n; i-- > 0;)
        if (is_users(&calls[i]))
            path[k++] = calls[i];
    return k > 0 ? add_path(s, path, k) : otherwise;
}

static bool is_on_stack(rep_story *s, uint32_t stack, const rep_place *own)
{
    rep_place calls[MAX_CALLS];
    bool has_stack = stack > 0 && stack < s->run->stacks.len && s->names->calls != NULL;
    uint32_t n = has_stack ? calls_of(s, stack, calls) : 0, i = 0;
    while (i < n && (strcmp(calls[i].function, own->function) != 0 ||
                     strcmp(calls[i].file, own->file) != 0))
        i++;
    return i < n;
}

#define LAST_ACTS 64 /* acts of the failing thread */

/* The stack at a throw of the library is unknown: uses that of the thread's last act in the same function. */
static uint32_t path_of_last(rep_story *s, const rep_place *own)
{
    int left = LAST_ACTS;
    for (size_t i = s->acts.len; s->fail && own->line > 0 && i-- > 0 && left > 0;) {
        const rep_act *a = &s->acts.at[i];
        if (a->thread != s->fail->thread)
            continue;
        left--;
        if (a->site == s->fail->site && is_users(rep_path_own(s, a->path)))
            return a->path;
        if (is_on_stack(s, a->stack, own))
            return make_path(s, a->stack, own);
    }
    return REP_NONE;
}

void rep_find_paths(rep_story *s)
{
    for (size_t i = 0; i < s->acts.len; i++) {
        rep_act *a = &s->acts.at[i];
        a->path = path_of(s, a->stack, a->site);
    }
    const det_finding *f = s->f->finding;
    rep_place at = {f->file, said(s, f->function, NULL), f->line, NULL};
    s->fail_path = path_of_wait(s);
    if (s->fail_path == REP_NONE || !s->paths.at[s->fail_path].library)
        s->fail_path = make_path(s, s->fail != NULL ? s->fail->stack : 0, &at);
    if (at.line == 0 && s->fail != NULL && s->fail->kind == WIRE_FAIL_ABORT)
        s->fail_path = path_of_stack(s, s->fail->stack, s->fail_path);
    uint32_t last = REP_NONE;
    if (!is_users(rep_path_own(s, s->fail_path)))
        last = path_of_last(s, &at);
    s->fail_path = last != REP_NONE ? last : s->fail_path;
}

rep_place rep_created_place(const rep_story *s, uint32_t thread)
{
    const trc_thread *t = &s->run->threads.at[thread];
    TD_ASSERT(thread > 0 && thread < s->run->threads.len);
    trc_site site = s->names->site(s->names->ctx, t->create_site);
    uint32_t path = REP_NONE;
    if (t->create_op < s->run->ops.len)
        path = rep_known_path(s, s->run->ops.at[t->create_op].stack, t->create_site);
    return path != REP_NONE ? *rep_path_place(s, path, 0)
                            : (rep_place){site.file, site.function, site.line, NULL};
}

void rep_print_calls(const rep_story *s, uint32_t path, td_text *out)
{
    uint32_t n = s->paths.at[path].n;
    bool is_first = true;
    if (s->paths.at[path].library) {
        td_text_add(out, ", inside\t");
        rep_put_clean(out, s->paths.at[path].library);
    }
    for (uint32_t i = n - 1; i-- > 0;) {
        const rep_place *at = rep_path_place(s, path, i);
        trc_site site = {.file = at->file, .line = at->line};
        if (det_is_library(at->file))
            continue;
        td_text_add(out, is_first ? ", called\tat\t" : ",\t");
        is_first = false;
        rep_print_place(&site, out);
        td_text_add(out, "\tin\t");
        rep_put_clean(out, at->function);
    }
}
