/* SPDX-License-Identifier: Apache-2.0 */
/* A race keeps its lines when the run is repeated with all accesses told. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static int d0;
static pthread_t handle[6];

static void *t1(void *arg)
{
    (void)arg;
    d0 = 1;
    for (int i1 = 0; i1 < 1; i1++) {
        d0 = 1;
    }
    return (void *)(intptr_t)(0);
}

int main(void)
{
    pthread_create(&handle[1], NULL, t1, (void *)1);
    pthread_create(&handle[2], NULL, t1, (void *)2);
    return 0;
}
