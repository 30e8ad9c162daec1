/* SPDX-License-Identifier: Apache-2.0 */
/* Common definitions of the benchmark programs.
 *
 * Shared integers are sequentially consistent C11 atomics by default; with
 * -DPLAIN they are plain volatile ints (so every access is a data race, to be
 * read with SC semantics).  */
#ifndef BENCH_H
#define BENCH_H

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef PLAIN
typedef volatile int shint;
#else
#include <stdatomic.h>
typedef atomic_int shint;
#endif

static inline void spawn(pthread_t *t, void *(*fn)(void *), long arg)
{
    if (pthread_create(t, NULL, fn, (void *)arg))
        abort();
}

static inline void join(pthread_t t)
{
    if (pthread_join(t, NULL))
        abort();
}

#endif
