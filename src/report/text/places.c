/* SPDX-License-Identifier: Apache-2.0 */
/* Places of paths, and which of them are the C++ library's. */
#include "report/text/report_int.h"

#include <string.h>

#include "base/assert.h"

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

const char *rep_keep(rep_story *s, td_text *text)
{
    if (text->len == 0)
        return "";
    rep_text_vec_push(&s->kept, text->at);
    *text = (td_text){0};
    return s->kept.at[s->kept.len - 1];
}

size_t rep_users_name(const char *name)
{
    static const char *const members[] = {"._M_", ".__"}; /* libstdc++, libc++ */
    size_t n = strcspn(name, "+");
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const char *member = strstr(name, members[i]);
        if (member && (size_t)(member - name) < n)
            n = (size_t)(member - name);
    }
    return n;
}

static bool is_letter(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

bool rep_is_inner_name(const char *name)
{
    for (const char *at = name; *at; at++)
        if (at[0] == '_' && (at == name || !is_letter(at[-1])) &&
            (at[1] == '_' || (at[1] >= 'A' && at[1] <= 'Z')))
            return true;
    return false;
}
