/* SPDX-License-Identifier: Apache-2.0 */
/* What the subjects share: threads by number, and how shared variables are declared. */
#pragma once

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <treadle.h>

#include "../../programs/common.h"

/* A variable that is accessed under a lock. The paper has an event for each of its accesses: built
 * with -DVISIBLE, so has treadle. */
#ifdef VISIBLE
#define GUARDED _Atomic
#else
#define GUARDED
#endif

static inline void lock(pthread_mutex_t *m)
{
    pthread_mutex_lock(m);
}

static inline void unlock(pthread_mutex_t *m)
{
    pthread_mutex_unlock(m);
}
