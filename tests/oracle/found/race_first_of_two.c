/* SPDX-License-Identifier: Apache-2.0 */
/* Of two accesses of a thread, both race with a third. */
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
    d0 = 1;
    pthread_mutex_unlock(&m0);
    d0 = 1;
    return (void *)(intptr_t)(0);
}

int main(void)
{
    int r0 = 0;
    pthread_create(&handle[1], NULL, t1, (void *)1);
    r0 = atomic_load(&a0);
    d0 = 1;
    return 0;
}
