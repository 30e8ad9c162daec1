/* SPDX-License-Identifier: Apache-2.0 */
/* Whether an exchange succeeds depends on an input that was stored. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <treadle.h>

static atomic_int a0;
static pthread_t handle[6];

static void *t1(void *arg)
{
    int r0 = 0;
    (void)arg;
    r0 = (int)treadle_bits(1, "x1");
    atomic_store(&a0, r0);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    int r0 = 0;
    pthread_create(&handle[2], NULL, t1, (void *)2);
    r0 = 1;
    (void)atomic_compare_exchange_strong(&a0, &r0, 1);
    return 0;
}
