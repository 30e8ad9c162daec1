/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever finds a once that is done may have had to wait for it: leaving a thread before it is no
 * preemption then (--preemptions=1).
 *
 * treadle: --spurious=1
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER;
static pthread_once_t o0 = PTHREAD_ONCE_INIT;
static pthread_once_t o1 = PTHREAD_ONCE_INIT;
static pthread_t handle[6];

static void once0(void)
{
}

static void once1(void)
{
}

static void once2(void)
{
}

static void once3(void)
{
    pthread_once(&o0, once2);
}

static void *t1(void *arg)
{
    (void)arg;
    pthread_once(&o0, once1);
    pthread_once(&o1, once0);
    pthread_mutex_lock(&m0);
    pthread_cond_wait(&c0, &m0);
    pthread_mutex_unlock(&m0);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    pthread_create(&handle[1], NULL, t1, (void *)1);
    pthread_once(&o1, once3);
    return 0;
}
