/* SPDX-License-Identifier: Apache-2.0 */
/* A thread locks what it holds; only a run tells that it may. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t m3 = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_t handle[6];

static void *t1(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m3);
    pthread_mutex_lock(&m3);
    pthread_mutex_unlock(&m3);
    pthread_mutex_unlock(&m3);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    pthread_create(&handle[1], NULL, t1, (void *)1);
    return 0;
}
