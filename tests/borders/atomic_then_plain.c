/* SPDX-License-Identifier: Apache-2.0 */
/* An atomic store, a relaxed hand-over, a plain read: only this order exists, and nothing orders them.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, flag, y;

static void *t0(void *p)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);

    return p;
}

static void *t1(void *p)
{
    if (atomic_load_explicit(&flag, memory_order_relaxed))
        return *(volatile int *)&x ? p : 0;
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
