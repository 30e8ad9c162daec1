/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads of one function race, and a third one touches the variable. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;
static int d0;
static pthread_t handle[6];

static void *t2(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m0);
    d0 = 1;
    pthread_mutex_unlock(&m0);
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
    pthread_create(&handle[1], NULL, t1, (void *)1);
    pthread_create(&handle[3], NULL, t2, (void *)3);
    pthread_create(&handle[2], NULL, t1, (void *)2);
    return 0;
}
