/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <treadle.h>

static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER;
static pthread_t handle[6];

static void *t1(void *arg)
{
    int r0 = 0;
    (void)arg;
    pthread_cond_signal(&c0);
    r0 = (int)treadle_bits(1, "x1");
    assert(r0 == 0);
    pthread_mutex_lock(&m0);
    pthread_cond_signal(&c0);
    pthread_mutex_unlock(&m0);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    pthread_create(&handle[1], NULL, t1, (void *)1);
    pthread_mutex_lock(&m0);
    pthread_cond_wait(&c0, &m0);
    pthread_mutex_unlock(&m0);
    return 0;
}

/* Reduced from program 49 of seed 6:
 *   idle: only all: deadlock-9425 idle_or_failed.c:33 deadlock: main waits for a signal on 'c0'
 * treadle: --spurious=0
 * treadle cc -g -pthread idle_or_failed.c -o idle_or_failed
 * treadle run -k --search=all --runs=20000 -- ./idle_or_failed
 * treadle run -k --search=product -- ./idle_or_failed */
