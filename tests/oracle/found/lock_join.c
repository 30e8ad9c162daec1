/* SPDX-License-Identifier: Apache-2.0 */
/* Main joins a thread that waits for its mutex. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;
static pthread_t handle[6];

static void *t1(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m0);
    pthread_mutex_unlock(&m0);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    pthread_mutex_lock(&m0);
    pthread_create(&handle[2], NULL, t1, (void *)2);
    pthread_join(handle[2], NULL);
    return 0;
}
