/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold of a story. */
#include "report/text/report_int.h"

#include <stdio.h>

static bool broken(char *why, size_t size, const char *what, size_t at)
{
    if (why != NULL)
        snprintf(why, size, "%s (at %zu)", what, at);
    return false;
}

static bool path_valid(const rep_story *s, uint32_t path)
{
    if (path >= s->paths.len)
        return false;
    const rep_path *p = &s->paths.at[path];
    return p->n >= 1 && (size_t)p->first + p->n <= s->places.len;
}

bool rep_story_valid(const rep_story *s, char *why, size_t size)
{
    uint32_t done = 0;
    for (uint32_t i = 0; i < s->acts.len; i++) {
        const rep_act *a = &s->acts.at[i];
        if (a->op < done)
            return broken(why, size, "A1: an act before one that happened earlier", i);
        done = a->op;
        if (a->from != REP_NONE && a->from >= i)
            return broken(why, size, "A2: it reads what is written later", i);
        if (a->thread >= s->run->threads.len)
            return broken(why, size, "an act without a thread", i);
        if (a->next != REP_NONE && (a->next <= i || a->next >= s->acts.len ||
                                    s->acts.at[a->next].thread != a->thread))
            return broken(why, size, "the next act of its thread", i);
        if (!path_valid(s, a->path))
            return broken(why, size, "an act without a place", i);
    }
    if (s->stops.len != s->n_ops || s->n_ops > s->run->ops.len)
        return broken(why, size, "why threads stopped, for each operation", s->n_ops);
    if (!path_valid(s, s->fail_path))
        return broken(why, size, "the failure has no place", 0);
    return true;
}
