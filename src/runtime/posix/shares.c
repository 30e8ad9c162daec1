/* SPDX-License-Identifier: Apache-2.0 */
/* Which threads have used which stream, file or name. */
#include "runtime/posix/shares.h"

#include <stdio.h>

static rt_share *find(uint64_t key)
{
    rt_share *s = rt->shares;
    while (s && s->key != key)
        s = s->next;
    return s;
}

bool rt_share_is_known(uint64_t key)
{
    return find(key) != NULL;
}

rt_share *rt_share_of(uint64_t key)
{
    rt_share *s = find(key);
    if (s)
        return s;
    s = rt_bump(sizeof *s);
    s->key = key;
    s->next = rt->shares;
    rt->shares = s;
    return s;
}

/* Another thread has been there, and that is not ordered before self. */
static bool is_unordered(const rt_clock *users)
{
    for (uint32_t t = 0; t < users->len; t++)
        if (t != rt->self->id && users->at[t] > rt_clock_get(&rt->self->clock, t))
            return true;
    return false;
}

void rt_share_use(uint64_t key, bool is_write, const char *name, const char *text,
                  uint32_t site)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    rt_share *s = rt_share_of(key);
    if (is_unordered(&s->writes) || (is_write && is_unordered(&s->reads))) {
        char what[96];
        snprintf(what, sizeof what, "%.40s, on a %s that another thread uses", name,
                 text);
        rt_gap_once(WIRE_GAP_UNWATCHED, site, what);
    }
    rt_clock_set(is_write ? &s->writes : &s->reads, rt->self->id, rt->self->segment);
}

void rt_share_opens(int fd)
{
    rt_share *s = find(RT_SHARE_FD(fd));
    if (fd < 0 || !s)
        return;
    s->reads.len = 0;
    s->writes.len = 0;
    rt_clock_set(&s->writes, rt->self->id, rt->self->segment);
}
