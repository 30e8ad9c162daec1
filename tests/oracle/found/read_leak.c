/* SPDX-License-Identifier: Apache-2.0 */
/* A thread ends with a read lock, which keeps no reader off. */
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
