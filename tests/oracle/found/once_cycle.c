/* SPDX-License-Identifier: Apache-2.0 */
/* Two routines of pthread_once wait for each other: a cycle that no run need show. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_once_t o0 = PTHREAD_ONCE_INIT;
static pthread_once_t o1 = PTHREAD_ONCE_INIT;
static pthread_t handle[6];

static void once0(void)
{
}

static void once1(void)
{
    pthread_once(&o0, once0);
}

static void once2(void)
{
}

static void once3(void)
{
    pthread_once(&o1, once2);
}

static void *t1(void *arg)
{
    (void)arg;
    pthread_once(&o1, once1);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    pthread_create(&handle[3], NULL, t1, (void *)3);
    pthread_once(&o0, once3);
    return 0;
}
