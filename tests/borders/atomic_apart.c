/* SPDX-License-Identifier: Apache-2.0 */
/* An atomic and a plain access that race, though no run needs both to reach every local state.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static void *t0(void *p)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);

    return p;
}

static void *t1(void *p)
{
    if (atomic_load_explicit(&y, memory_order_relaxed) == 0)
        atomic_store_explicit(&x, 1, memory_order_relaxed);

    return p;
}

static void *t2(void *p)
{
    if (atomic_load_explicit(&z, memory_order_relaxed) == 1)
        *(volatile int *)&x = 5;
    return p;
}

static void *t3(void *p)
{
    atomic_store_explicit(&z, 1, memory_order_relaxed);
    return p;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, t0, 0);
    pthread_create(&t[1], 0, t1, 0);
    pthread_create(&t[2], 0, t2, 0);
    pthread_create(&t[3], 0, t3, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    pthread_join(t[3], 0);
    return 0;
}
