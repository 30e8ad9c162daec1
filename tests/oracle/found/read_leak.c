/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int a0;
static pthread_rwlock_t l0 = PTHREAD_RWLOCK_INITIALIZER;
static pthread_t handle[6];

static void *t1(void *arg)
{
    (void)arg;
    pthread_rwlock_rdlock(&l0);
    atomic_store(&a0, 1);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    int r0 = 0;
    pthread_create(&handle[1], NULL, t1, (void *)1);
    r0 = atomic_load(&a0);
    pthread_rwlock_rdlock(&l0);
    pthread_rwlock_unlock(&l0);
    pthread_exit(NULL);
}

/* Reduced from program 63 of seed p2:
 *   runs: 3 runs for 2 traces
 * treadle cc -g -pthread pp2_63_small.c -o pp2_63_small
 * treadle run -k --search=all --runs=20000 -- ./pp2_63_small
 * treadle run -k --goal=states -- ./pp2_63_small */
