/* SPDX-License-Identifier: Apache-2.0 */
/* A variable handed over by a join: no pair of accesses is left to compare. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int a0;
static int out[6];
static pthread_t handle[6];

static void *t1(void *arg)
{
    int r0 = 0;
    int me = (int)(intptr_t)arg;
    r0 = atomic_load(&a0);
    atomic_store(&a0, 1);
    out[me] = 1;
    atomic_store(&a0, 0);
    atomic_store(&a0, 1);
    atomic_store(&a0, 1);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    int r0 = 0;
    pthread_create(&handle[2], NULL, t1, (void *)2);
    r0 = atomic_load(&a0);
    atomic_store(&a0, 1);
    atomic_store(&a0, 0);
    r0 = atomic_load(&a0);
    atomic_store(&a0, 1);
    atomic_store(&a0, 1);
    pthread_join(handle[2], NULL);
    r0 = out[2];
    return 0;
}
