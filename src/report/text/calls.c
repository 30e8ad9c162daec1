/* SPDX-License-Identifier: Apache-2.0 */
/* Where acts stand: the calls that lead to them, from return addresses. */
#include "report/text/report_int.h"

#include <string.h>

#include "base/assert.h"

#define MAX_CALLS 48u /* of a path */

bool rep_place_equal(const rep_place *a, const rep_place *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0 &&
           strcmp(a->function, b->function) == 0;
}

const rep_place *rep_path_place(const rep_story *s, uint32_t path, uint32_t depth)
{
    TD_ASSERT(path < s->paths.len);
    const rep_path *p = &s->paths.at[path];
    TD_ASSERT(p->n >= 1 && (size_t)p->first + p->n <= s->places.len);
    return &s->places.at[p->first + (depth < p->n ? depth : p->n - 1)];
}

const rep_place *rep_path_own(const rep_story *s, uint32_t path)
{
    return rep_path_place(s, path, UINT32_MAX);
}

static rep_place place_of(const trc_site *site)
{
    return (rep_place){site->file, site->function, site->line};
}

/* Takes over the places as a path. */
static uint32_t add_path(rep_story *s, const rep_place *places, uint32_t n)
{
    TD_ASSERT(n >= 1);
    rep_path_vec_push(&s->paths, (rep_path){(uint32_t)s->places.len, n});
    rep_place_vec_append(&s->places, places, n);
    return (uint32_t)s->paths.len - 1;
}

/* The calls that a return address stands for, innermost first, as a path; REP_NONE: none. */
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
        places[i] = place_of(&sites[i]);
    uint32_t path = n > 0 ? add_path(s, places, (uint32_t)n) : REP_NONE;
    rep_map_put(&s->call_by_address, address, path + 1); /* of REP_NONE: 0 */
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

/* The site says where its act stands; the stack, who called that function. What is inside it is the
 * runtime's. */
static uint32_t make_path(rep_story *s, uint32_t stack, const rep_place *own)
{
    rep_place calls[MAX_CALLS], path[MAX_CALLS + 1];
    bool has_stack = stack > 0 && stack < s->run->stacks.len && s->names->calls != NULL;
    uint32_t n = has_stack ? calls_of(s, stack, calls) : 0, inner = 0, k = 0;
    while (inner < n && strcmp(calls[inner].function, own->function) != 0)
        inner++;
    for (uint32_t i = n; inner < n && i-- > inner + 1;)
        path[k++] = calls[i];
    path[k++] = *own;
    TD_ASSERT(k <= MAX_CALLS + 1);
    return add_path(s, path, k);
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
    rep_place own = place_of(&at);
    uint32_t path = make_path(s, stack, &own);
    rep_map_put(&s->path_by_stack, key_of(stack, site), path);
    return path;
}

void rep_find_paths(rep_story *s)
{
    for (size_t i = 0; i < s->acts.len; i++) {
        rep_act *a = &s->acts.at[i];
        a->path = path_of(s, a->stack, a->site);
    }
    const det_finding *f = s->f->finding;
    rep_place at = {f->file, f->function, f->line};
    s->fail_path = make_path(s, s->fail != NULL ? s->fail->stack : 0, &at);
}

/* Code of the C++ library in headers, or of runtime/cxx: nobody wrote that call. */
static bool is_library(const rep_place *p)
{
    return strstr(p->file, "/include/c++/") || strstr(p->file, "src/runtime/cxx/");
}

void rep_print_calls(const rep_story *s, uint32_t path, td_text *out)
{
    uint32_t n = s->paths.at[path].n;
    bool is_first = true;
    for (uint32_t i = n - 1; i-- > 0;) {
        const rep_place *at = rep_path_place(s, path, i);
        trc_site site = {.file = at->file, .line = at->line};
        if (is_library(at))
            continue;
        td_text_add(out, is_first ? ", called\tat\t" : ",\t");
        is_first = false;
        rep_print_place(&site, out);
        td_text_add(out, "\tin\t");
        rep_put_clean(out, at->function);
    }
}
