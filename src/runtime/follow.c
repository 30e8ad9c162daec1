/* SPDX-License-Identifier: Apache-2.0 */
/* What runtime/libc asks about labels. */
#include "runtime/rt.h"

RT_HIDDEN bool rt_libc_live(void);
bool rt_libc_live(void)
{
    return rt_on() && rt_sym_live();
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

/* ---- labels of arguments that are passed on in memory ---- */

RT_HIDDEN void rt_libc_put(const void *p, uint32_t size, uint32_t label);
void rt_libc_put(const void *p, uint32_t size, uint32_t label)
{
    if (rt_on() && rt->symbolic)
        rt_sym_put((uint64_t)p, size, label);
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
