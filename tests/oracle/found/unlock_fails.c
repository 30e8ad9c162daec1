/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex that is not held is unlocked, beside another thread. */
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

static void *t1(void *arg)
{
    (void)arg;
    atomic_store(&a0, 0);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    pthread_create(&handle[1], NULL, t1, (void *)1);
    pthread_mutex_unlock(&m0);
    return 0;
}
