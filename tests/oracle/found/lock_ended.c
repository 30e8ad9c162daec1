/* SPDX-License-Identifier: Apache-2.0 */
/* Main ends with a mutex that another thread waits for. */
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
    pthread_create(&handle[1], NULL, t1, (void *)1);
    pthread_exit(NULL);
}
