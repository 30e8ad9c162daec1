/* SPDX-License-Identifier: Apache-2.0 */
/* As fail_reads, with two readers. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int a0;
static pthread_t handle[6];

static void *t2(void *arg)
{
    int r0 = 0;
    (void)arg;
    r0 = 0;
    (void)atomic_compare_exchange_strong(&a0, &r0, 0);
    return (void *)(intptr_t)(0);
}

static void *t1(void *arg)
{
    int r0 = 0;
    (void)arg;
    atomic_store(&a0, 1);
    r0 = 0;
    if (atomic_compare_exchange_strong(&a0, &r0, 1)) {
    } else {
        assert(r0 != 1);
    }
    return (void *)(intptr_t)(0);
}

int main(void)
{
    int r0 = 0;
    pthread_create(&handle[2], NULL, t2, (void *)2);
    pthread_create(&handle[1], NULL, t1, (void *)1);
    r0 = atomic_load(&a0);
    pthread_join(handle[2], NULL);
    return 0;
}
