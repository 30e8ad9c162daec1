/* SPDX-License-Identifier: Apache-2.0 */
/* Three accesses race in pairs; each hides another in some orders. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int a0;
static int d0;
static pthread_t handle[6];

static void *t2(void *arg)
{
    int r0 = 0;
    (void)arg;
    r0 = atomic_load(&a0);
    d0 += 1;
    return (void *)(intptr_t)(0);
}

static void *t1(void *arg)
{
    (void)arg;
    d0 = 1;
    return (void *)(intptr_t)(0);
}

int main(void)
{
    pthread_create(&handle[3], NULL, t2, (void *)3);
    pthread_create(&handle[2], NULL, t1, (void *)2);
    d0 = 1;
    return 0;
}
