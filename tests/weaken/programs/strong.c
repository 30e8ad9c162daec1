/* SPDX-License-Identifier: Apache-2.0 */
/* A message with everything as strong as it can be: one release and one acquire would do. */
#include "orders.h"

static atomic_int ready, seen;
static int message;

static void *one(void *p)
{
    message = 42;
    /* weaken: fence acq_rel passes, acquire passes, release passes, none passes */
    atomic_thread_fence(SEQ_CST);
    /* weaken: store release passes, relaxed passes */
    atomic_store(&ready, 1);
    return p;
}

static void *two(void *p)
{
    /* weaken: load acquire passes, relaxed fails */
    if (atomic_load(&ready))
        assert(message == 42);
    /* weaken: rmw acq_rel passes, acquire passes, release passes, relaxed passes */
    atomic_fetch_add(&seen, 1);
    return p;
}

static void check(void)
{
    /* weaken: load acquire passes, relaxed passes */
    assert(atomic_load(&seen) == 1);
}
