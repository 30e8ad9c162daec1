/* SPDX-License-Identifier: Apache-2.0 */
/* A race with what a thread does right before it ends the run. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int a0;
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;
static int d0;
static pthread_t handle[6];

static void *t1(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m0);
    pthread_mutex_unlock(&m0);
    d0 = 1;
    atomic_store(&a0, 1);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    int r0 = 0, sink = 0;
    pthread_create(&handle[2], NULL, t1, (void *)2);
    r0 = atomic_load(&a0);
    sink += d0;
    abort();
    return 0;
}
