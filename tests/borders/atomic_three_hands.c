/* SPDX-License-Identifier: Apache-2.0 */
/* The second hand-over of three threads is relaxed.
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
    atomic_store_explicit(&flag, 1, memory_order_release);

    return p;
}

static void *t1(void *p)
{
    if (atomic_load_explicit(&flag, memory_order_acquire))
        atomic_store_explicit(&y, 1, memory_order_relaxed);

    return p;
}

static void *t2(void *p)
{
    if (atomic_load_explicit(&y, memory_order_acquire))
        *(volatile int *)&x = 2;
    return p;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, t0, 0);
    pthread_create(&t[1], 0, t1, 0);
    pthread_create(&t[2], 0, t2, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    return 0;
}
