/* SPDX-License-Identifier: Apache-2.0 */
/* Several runs under way can end by the same decision. */
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

static void *t2(void *arg)
{
    int r0 = 0, r1 = 0;
    (void)arg;
    r1 = (int)treadle_bits(3, "x1");
    r0 = 1;
    if (atomic_compare_exchange_strong(&a0, &r0, 1)) {
    } else {
        if (r1 == 1) {
            assert(!"reached");
        }
    }
    return (void *)(intptr_t)(0);
}

static void *t1(void *arg)
{
    (void)arg;
    atomic_store(&a0, 1);
    atomic_store(&a0, 0);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    pthread_create(&handle[1], NULL, t1, (void *)1);
    pthread_create(&handle[2], NULL, t1, (void *)2);
    pthread_create(&handle[3], NULL, t2, (void *)3);
    pthread_exit(NULL);
}
