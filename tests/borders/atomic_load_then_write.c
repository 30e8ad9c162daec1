/* SPDX-License-Identifier: Apache-2.0 */
/* A plain write after an atomic load of another thread, which nothing orders before it.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, flag, y;

static void *t0(void *p)
{
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);

    return p;
}

static void *t1(void *p)
{
    while (!atomic_load_explicit(&flag, memory_order_relaxed))
        continue;
    *(volatile int *)&x = 1;
    return p;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, t0, 0);
    pthread_create(&t[1], 0, t1, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
