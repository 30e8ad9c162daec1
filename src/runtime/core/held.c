/* SPDX-License-Identifier: Apache-2.0 */
/* The objects that threads hold: acquiring and releasing them. */
#include "runtime/core/core.h"

#include <errno.h>

static void held_add(rt_thread *t, rt_object *o)
{
    o->held_prev = RT_NONE;
    o->held_next = t->held;
    if (t->held != RT_NONE)
        rt_object_by_index(t->held)->held_prev = rt_object_index(o);
    t->held = rt_object_index(o);
}

static void held_remove(rt_thread *t, rt_object *o)
{
    RT_ASSERT(t->held != RT_NONE);
    if (o->held_next != RT_NONE)
        rt_object_by_index(o->held_next)->held_prev = o->held_prev;
    if (o->held_prev != RT_NONE)
        rt_object_by_index(o->held_prev)->held_next = o->held_next;
    else
        t->held = o->held_next;
}

void rt_held_take(rt_thread *t, rt_object *o)
{
    if (o->state == RT_OBJECT_HELD) {
        RT_ASSERT(o->owner == t->id && o->depth > 0);
        o->depth++;
        return;
    }
    o->state = RT_OBJECT_HELD;
    o->owner = t->id;
    o->depth = 1;
    o->held_site = t->pending.site;
    held_add(t, o);
    if (o->robust == RT_ROBUST_WELL)
        return;
    t->result = o->robust == RT_ROBUST_DEAD ? EOWNERDEAD : ENOTRECOVERABLE;
    if (o->robust == RT_ROBUST_DEAD)
        o->robust = RT_ROBUST_TOLD;
}

/* Returns the state of a robust mutex for the next thread that locks it. */
static uint8_t robust_after(const rt_thread *t, const rt_object *o)
{
    if (t->pending.b)
        return o->robust == RT_ROBUST_LOST ? RT_ROBUST_LOST : RT_ROBUST_DEAD;
    return o->robust == RT_ROBUST_TOLD ? RT_ROBUST_LOST : o->robust;
}

void rt_held_give(rt_thread *t, rt_object *o)
{
    RT_ASSERT(o->state == RT_OBJECT_HELD && o->owner == t->id);
    RT_ASSERT(o->depth > 0);
    if (--o->depth > 0 && !t->pending.b)
        return;
    o->robust = robust_after(t, o);
    o->state = RT_OBJECT_FREE;
    o->owner = RT_NONE;
    held_remove(t, o);
}

void rt_held_untake(rt_thread *t, rt_object *o)
{
    RT_ASSERT(o->state == RT_OBJECT_HELD && o->owner == t->id);
    o->state = RT_OBJECT_FREE;
    o->owner = RT_NONE;
    held_remove(t, o);
}
