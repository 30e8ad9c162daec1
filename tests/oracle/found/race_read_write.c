/* SPDX-License-Identifier: Apache-2.0 */
/* A read and two writes race in pairs. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int a0;
static atomic_int a1;
static int d0;
static pthread_t handle[6];

static void *t2(void *arg)
{
    (void)arg;
    d0 += 1;
    return (void *)(intptr_t)(0);
}

static void *t1(void *arg)
{
    int sink = 0;
    (void)arg;
    atomic_store(&a0, 1);
    sink += d0;
    return (void *)(intptr_t)(0);
}

int main(void)
{
    int r0 = 0;
    pthread_create(&handle[2], NULL, t1, (void *)2);
    r0 = atomic_load(&a1);
    d0 = 1;
    pthread_create(&handle[3], NULL, t2, (void *)3);
    return 0;
}
