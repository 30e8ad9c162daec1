/* SPDX-License-Identifier: Apache-2.0 */
/* The locks of streams: recursive mutexes that every thread can lock. */
#include "runtime/core/core.h"

#include <errno.h>
#include <stdio.h>

/* Not the address of the stream: the memory of one that is closed may hold other objects. */
static const void *lock_of(const FILE *f)
{
    return (const char *)f + 1;
}

static rt_op *stream_op(uint8_t kind, const FILE *f)
{
    rt_op *op = rt_sync_op(kind, lock_of(f), RT_MUTEX);
    op->a = true; /* recursive */
    return op;
}

RT_API void __treadle_flockfile(FILE *f);
void __treadle_flockfile(FILE *f)
{
    if (!rt_on()) {
        flockfile(f);
        return;
    }
    stream_op(WIRE_LOCK, f);
    rt_sync_operation();
}

RT_API int __treadle_ftrylockfile(FILE *f);
int __treadle_ftrylockfile(FILE *f)
{
    if (!rt_on())
        return ftrylockfile(f);
    stream_op(WIRE_TRYLOCK, f);
    return (int)rt_sync_operation();
}

RT_API void __treadle_funlockfile(FILE *f);
void __treadle_funlockfile(FILE *f)
{
    if (!rt_on()) {
        funlockfile(f);
        return;
    }
    const rt_object *o = rt_object_at((uint64_t)lock_of(f));
    rt_sync_op(WIRE_UNLOCK, lock_of(f), RT_MUTEX);
    if (!rt_held_by_self(o))
        rt_sync_not_held(o->state == RT_OBJECT_HELD);
    rt_sync_operation();
}
