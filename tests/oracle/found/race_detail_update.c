/* SPDX-License-Identifier: Apache-2.0 */
/* As race_detail, with a read and a write in one line. */
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
    for (int i1 = 0; i1 < 1; i1++) {
        d0 += 1;
    }
    d0 = 1;
    return (void *)(intptr_t)(0);
}

int main(void)
{
    pthread_create(&handle[1], NULL, t1, (void *)1);
    d0 = 1;
    return 0;
}
