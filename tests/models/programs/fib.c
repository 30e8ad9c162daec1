/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads that add up each other's numbers, N times, by acquire and release, while main looks: the number
 * of graphs grows fast. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int x = 1, y = 1;

static void *one(void *p)
{
    for (int i = 0; i < N; i++) {
        int a = atomic_load_explicit(&x, memory_order_acquire),
            b = atomic_load_explicit(&y, memory_order_acquire);
        atomic_store_explicit(&x, a + b, memory_order_release);
    }
    return p;
}

static void *two(void *p)
{
    for (int i = 0; i < N; i++) {
        int a = atomic_load_explicit(&x, memory_order_acquire),
            b = atomic_load_explicit(&y, memory_order_acquire);
        atomic_store_explicit(&y, a + b, memory_order_release);
    }
    return p;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    int seen = atomic_load_explicit(&x, memory_order_acquire) +
               atomic_load_explicit(&y, memory_order_acquire);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return seen < 0;
}
