/* SPDX-License-Identifier: Apache-2.0 */
/* A read that fails an assertion ends the run before what follows it elsewhere. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int a0;
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;
static pthread_t handle[6];

static void *t3(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m0);
    atomic_store(&a0, 1);
    pthread_mutex_unlock(&m0);
    return (void *)(intptr_t)(0);
}

static void *t2(void *arg)
{
    int r0 = 0;
    (void)arg;
    r0 = atomic_load(&a0);
    return (void *)(intptr_t)(0);
}

static void *t1(void *arg)
{
    int r0 = 0;
    (void)arg;
    r0 = atomic_load(&a0);
    assert(r0 != 1);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    pthread_create(&handle[2], NULL, t2, (void *)2);
    pthread_create(&handle[3], NULL, t3, (void *)3);
    pthread_create(&handle[1], NULL, t1, (void *)1);
    pthread_join(handle[2], NULL);
    pthread_join(handle[1], NULL);
    return 0;
}
