/* SPDX-License-Identifier: Apache-2.0 */
/* Functions about labels for runtime/libc. */
#include "runtime/symbolic/values.h"

#include <stdio.h>
#include <unistd.h>

RT_HIDDEN bool rt_libc_live(void);
bool rt_libc_live(void)
{
    return rt_on() && rt_sym_exists();
}

RT_HIDDEN bool rt_libc_labels(const void *p, size_t n);
bool rt_libc_labels(const void *p, size_t n)
{
    return rt_on() && rt_sym_any((uint64_t)p, n);
}

RT_HIDDEN bool rt_libc_label(uint64_t value);
bool rt_libc_label(uint64_t value)
{
    (void)value;
    uint32_t label = rt_on() ? rt_sym_argument((const void *)rt_libc_label, 0) : 0;
    rt_sym_arrive();
    return label != 0;
}

RT_HIDDEN void rt_libc_decide(uint64_t value);
void rt_libc_decide(uint64_t value)
{
    uint32_t label = rt_on() ? rt_sym_argument((const void *)rt_libc_decide, 0) : 0;
    rt_sym_arrive();
    rt_sym_concrete(label, value, rt_site_number(PLAN_CTL->inner_site));
}

/* ---- labels of arguments that are passed on in memory ---- */

RT_HIDDEN void rt_libc_put(const void *p, uint32_t size, uint32_t label);
void rt_libc_put(const void *p, uint32_t size, uint32_t label)
{
    if (rt_on() && rt->symbolic)
        rt_sym_put((uint64_t)p, size, label);
}

RT_HIDDEN uint32_t rt_libc_get(const void *p, uint32_t size);
uint32_t rt_libc_get(const void *p, uint32_t size)
{
    uint64_t at = (uint64_t)p;
    return rt_on() && rt_sym_any(at, size) ? rt_sym_get(at, size, rt_peek(at, size), 0)
                                           : 0;
}

RT_HIDDEN void rt_libc_decide_label(uint32_t label, uint64_t value);
void rt_libc_decide_label(uint32_t label, uint64_t value)
{
    if (rt_on())
        rt_sym_concrete(label, value, rt_site_number(PLAN_CTL->inner_site));
}

RT_HIDDEN void rt_libc_lost(const wire_site *at);
void rt_libc_lost(const wire_site *at)
{
    if (rt_on())
        rt_sym_lost(rt_site_number((uint64_t)at));
}

RT_HIDDEN void rt_libc_forget(const void *p, size_t n);
void rt_libc_forget(const void *p, size_t n)
{
    if (rt_on() && n > 0)
        rt_sym_forget((uint64_t)p, n);
}
