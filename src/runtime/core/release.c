/* SPDX-License-Identifier: Apache-2.0 */
/* Release sequences of atomic objects.
 *
 * C17, 5.1.2.4: a release sequence continues with exchanges, and with stores of the thread that
 * started it; a store of any other thread ends it. An exchange that releases starts another one
 * while those of other threads continue, so an object may have one for each thread. A thread that
 * acquires joins the clocks of all: o->clock is their join.
 *
 * In the common case there is exactly one, and o->clock is its clock. Several are kept one by one
 * only while there are several, since the store that ends all but one has to know that one's clock. */
#include "runtime/core/core.h"

#include <string.h>

typedef struct head {
    uint32_t thread;
    rt_clock clock; /* join of everything that this thread released in its sequence */
} head;

struct rt_heads {
    uint32_t n, cap;
    head *at;
};

static head *head_of(rt_heads *h, uint32_t thread)
{
    for (uint32_t i = 0; i < h->n; i++)
        if (h->at[i].thread == thread)
            return &h->at[i];
    return NULL;
}

/* Places beyond n keep the storage of their clocks. */
static void head_add(rt_heads *h, uint32_t thread, const rt_clock *clock)
{
    RT_ASSERT(!head_of(h, thread));
    if (h->n == h->cap) {
        uint32_t cap = h->cap ? 2 * h->cap : 4;
        head *at = rt_bump(cap * sizeof *at);
        if (h->n > 0)
            memcpy(at, h->at, h->n * sizeof *at);
        h->at = at;
        h->cap = cap;
    }
    head *new_one = &h->at[h->n++];
    new_one->thread = thread;
    rt_clock_copy(&new_one->clock, clock);
}

void rt_release_beside(rt_object *o, uint32_t thread, const rt_clock *clock)
{
    RT_ASSERT(o->head != thread + 1);
    if (o->head == 0) {
        o->head = thread + 1;
        return;
    }
    if (!o->heads)
        o->heads = rt_bump(sizeof *o->heads);
    rt_heads *h = o->heads;
    if (o->head != RT_SEVERAL) {
        h->n = 0;
        head_add(h, o->head - 1, &o->clock);
        o->head = RT_SEVERAL;
    }
    head *own = head_of(h, thread);
    if (own)
        rt_clock_join(&own->clock, clock);
    else
        head_add(h, thread, clock);
}

bool rt_release_only(rt_object *o, uint32_t thread)
{
    RT_ASSERT(o->head == RT_SEVERAL && o->heads);
    const head *own = head_of(o->heads, thread);
    if (!own)
        return false;
    rt_clock_copy(&o->clock, &own->clock);
    o->head = thread + 1;
    return true;
}

void rt_release_save(rt_object *o, uint32_t thread, rt_released *out)
{
    out->head = o->head;
    rt_clock_copy(&out->clock, &o->clock);
    if (o->head != RT_SEVERAL)
        return;
    const head *own = head_of(o->heads, thread);
    out->n = o->heads->n;
    RT_ASSERT(out->n > 1);
    out->is_head = own != NULL;
    if (own)
        rt_clock_copy(&out->own, &own->clock);
}

void rt_release_restore(rt_object *o, uint32_t thread, const rt_released *saved)
{
    o->head = saved->head;
    rt_clock_copy(&o->clock, &saved->clock);
    if (o->head != RT_SEVERAL)
        return;
    o->heads->n = saved->n;
    RT_ASSERT(saved->n <= o->heads->cap);
    if (saved->is_head)
        rt_clock_copy(&head_of(o->heads, thread)->clock, &saved->own);
}
