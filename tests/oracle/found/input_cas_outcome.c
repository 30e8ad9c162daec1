/* SPDX-License-Identifier: Apache-2.0 */
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
    int r0 = 0, r1 = 0;
    (void)arg;
    atomic_store(&a0, 1);
    r0 = (int)treadle_bits(1, "x2");
    r1 = 1;
    if (atomic_compare_exchange_strong(&a0, &r1, r0)) {
        atomic_store(&a0, 1);
    }
    return (void *)(intptr_t)(0);
}

int main(void)
{
    int r0 = 0;
    pthread_create(&handle[1], NULL, t1, (void *)1);
    r0 = 0;
    (void)atomic_compare_exchange_strong(&a0, &r0, 1);
    return 0;
}

/* all: complete, 28 events. states: 15 events, 4 runs, "a schedule did not lead where it should" (1): digest differs.
 * T1's exchange writes x2; run 3 has main's CAS after it succeed (x2 = 0: CAS, DECIDE 1). No job ever names x2 = 1: the other
 * outcome after the same state (CAS_FAIL, DECIDE 0) is not proposed, the target there was given up as missed. */
