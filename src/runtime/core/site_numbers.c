/* SPDX-License-Identifier: Apache-2.0 */
/* Images of the program and the numbers of their sites. */
#include "runtime/core/above.h"

/* Kept outside rt: images register before the process knows whether it is under control. */
RT_HIDDEN rt_images rt_known_images = {.n_sites = 1}; /* 0 is unknown */

RT_EXPORT void __treadle_image(const wire_site *first, const wire_site *end)
{
    if (first == end)
        return;
    if (rt_known_images.n == WIRE_MAX_IMAGES) {
        rt_known_images.too_many = true;
        if (rt_controlled)
            rt->above->image_added();
        return;
    }
    rt_known_images.at[rt_known_images.n] =
        (rt_image){(uint64_t)first, (uint64_t)end, rt_known_images.n_sites};
    rt_known_images.n_sites += (uint32_t)(end - first);
    rt_known_images.n++;
    RT_ASSERT(rt_known_images.n <= WIRE_MAX_IMAGES);
    /* A library loaded later: treadle sees it with the next run. */
    if (rt_controlled && rt->shm->n_images < rt_known_images.n)
        rt->above->image_added();
}

uint32_t rt_site_number(uint64_t site)
{
    for (uint32_t i = 0; i < rt_known_images.n; i++)
        if (site >= rt_known_images.at[i].first && site < rt_known_images.at[i].end)
            return rt_known_images.at[i].first_site +
                   (uint32_t)((site - rt_known_images.at[i].first) / sizeof(wire_site));
    return 0;
}

const wire_site *rt_site_by_number(uint32_t number)
{
    for (uint32_t i = 0; i < rt_known_images.n; i++) {
        const wire_site *s = (const wire_site *)rt_known_images.at[i].first +
                             (number - rt_known_images.at[i].first_site);
        if (number >= rt_known_images.at[i].first_site &&
            (uint64_t)s < rt_known_images.at[i].end)
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

/* Returns the site of a call from uninstrumented code. */
static uint32_t site_of_foreign(uint64_t marker)
{
    if (!rt_on())
        return 0;
    uint32_t site = rt->self->foreign_site;
    uint64_t missed = (marker >> RT_SITE_USE) & ~(uint64_t)rt->uses;
    if (rt_is_alone()) /* the operations that were spared would be no choices */
        missed &= ~(uint64_t)(WIRE_USES_HANDLER | WIRE_USES_DELETE | WIRE_USES_NAMES);
    if (missed)
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
    if (rt_on())
        rt->called_by_other = is_foreign;
    uint32_t number = is_foreign ? site_of_foreign(site) : rt_site_number(site);
    if (rt_on())
        rt->last_call = number;
    return number;
}

/* A job may come from a recording of another build. */
bool rt_can_be_promoted(uint32_t site)
{
    const wire_site *s = rt_site_by_number(site);
    return s && (s->kind == WIRE_SITE_READ || s->kind == WIRE_SITE_WRITE) &&
           s->size > 0 && s->size <= RT_PROMOTED_BYTES;
}
