/* SPDX-License-Identifier: Apache-2.0 */
/* The address of an atomic access is an input, and another thread writes there. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <treadle.h>

static atomic_int cells[2];
static pthread_t handle[6];

static void *t1(void *arg)
{
    int r0 = 0;
    (void)arg;
    r0 = (int)treadle_bits(1, "x1");
    atomic_store(&cells[r0 & 1], 1);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    int r0 = 0;
    pthread_create(&handle[1], NULL, t1, (void *)1);
    atomic_store(&cells[r0 & 1], 1);
    return 0;
}
