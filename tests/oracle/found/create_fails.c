/* SPDX-License-Identifier: Apache-2.0 */
/* A thread whose creator fails right after the create can do nothing. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;
static pthread_t handle[6];

static void *t2(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m0);
    pthread_mutex_unlock(&m0);
    return (void *)(intptr_t)(0);
}

static void *t1(void *arg)
{
    int r2 = 0;
    (void)arg;
    pthread_create(&handle[2], NULL, t2, (void *)2);
    assert(r2 == 1);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    pthread_create(&handle[1], NULL, t1, (void *)1);
    return 0;
}
