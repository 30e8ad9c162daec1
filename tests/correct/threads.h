/* SPDX-License-Identifier: Apache-2.0 */
/* tests/correct/threads.h - what the programs share: threads by number, a critical section. */
#pragma once

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { MAX_THREADS = 8 };

static inline int number_of(void *arg)
{
    return (int)(intptr_t)arg;
}

/* Threads 0 to n-1 of one body, started and joined. */
static inline void run_threads(int n, void *(*body)(void *number))
{
    pthread_t t[MAX_THREADS];
    assert(n <= MAX_THREADS);
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], NULL, body, (void *)(intptr_t)i);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
}

/* One thread of each body. */
static inline void run_two(void *(*first)(void *), void *(*second)(void *))
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
}

/* What a lock protects. It is no atomic: two threads inside would be a data race. */
static int n_sections;

static inline void critical_section(void)
{
    n_sections++;
}
