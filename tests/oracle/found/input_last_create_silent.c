/* SPDX-License-Identifier: Apache-2.0 */
/* The same, where main goes on to load what another thread stores. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <treadle.h>

static atomic_int a0;
static pthread_t handle[6];

static void *t2(void *arg)
{
    int r0 = 0;
    (void)arg;
    r0 = (int)treadle_bits(1, "x1");
    assert(r0 != 1);
    return (void *)(intptr_t)(0);
}

static void *t1(void *arg)
{
    (void)arg;
    atomic_store(&a0, 1);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    int r0 = 0;
    pthread_create(&handle[2], NULL, t1, (void *)2);
    pthread_create(&handle[3], NULL, t2, (void *)3);
    r0 = atomic_load(&a0);
    return 0;
}
