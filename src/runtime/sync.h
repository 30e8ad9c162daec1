/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/sync.h - what the calls of the threads library have in common (sync.c, timed.c).
 *
 * Purpose     A call makes an operation on its object (rt_sync_op), completes it, and waits for
 *             it (rt_sync_operation). Before and behind an operation only what the thread itself
 *             has done may be looked at: the state of an object is the scheduler's business.
 */
#pragma once

#include <pthread.h>
#include <time.h>

#include "runtime/rt.h"

/* Self's next operation on an object of that type. */
rt_op *rt_sync_op(uint8_t kind, const void *object, enum rt_object_type type);
/* The pending operation is wrong, as the sentence says: %o is the operation, %t the object. */
_Noreturn void rt_sync_misuse(const char *wrong);
/* The entry of a thread that holds a read lock, or NULL. */
rt_reader *rt_reader_find(const rt_object *o, uint32_t thread);

static inline bool rt_held_by_self(const rt_object *o)
{
    return o->state == RT_OBJECT_HELD && o->owner == rt->self->id;
}

/* ---- mutex.c ---- */

/* The two halves of a wait at a condition variable. */
void rt_mutex_give(pthread_mutex_t *m, uint32_t site);
void rt_mutex_take(pthread_mutex_t *m, uint32_t site);

/* ---- timed.c ---- */

/* Whether a wait with a timeout gives up; decided beforehand. Its time has then passed. */
bool rt_timed_gives_up(const char *call, const struct timespec *until);
/* 0, or EINVAL for what is no time. */
int rt_timed_check(const struct timespec *until);
