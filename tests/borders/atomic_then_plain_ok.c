/* SPDX-License-Identifier: Apache-2.0 */
/* The same with release and acquire.
 *
 * treadle:
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, flag, y;

static void *t0(void *p)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_release);

    return p;
}

static void *t1(void *p)
{
    if (atomic_load_explicit(&flag, memory_order_acquire))
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
