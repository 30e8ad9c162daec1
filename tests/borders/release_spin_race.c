/* SPDX-License-Identifier: Apache-2.0 */
/* The same with what a wrote: b's relaxed store ends a's release sequence, however often b went
 * round its loop.
 * treadle:
 * expect: verdict bug
 * expect: finding race release_spin_race.c:15 release_spin_race.c:31 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int f;
static int data, sink;

static void *a(void *p)
{
    data = 1;
    atomic_store_explicit(&f, 1, memory_order_release);
    return p;
}

static void *b(void *p)
{
    while (atomic_fetch_or_explicit(&f, 0, memory_order_release) == 0)
        ;
    atomic_store_explicit(&f, 3, memory_order_relaxed);
    return p;
}

static void *c(void *p)
{
    if (atomic_load_explicit(&f, memory_order_acquire) == 3)
        sink = data;
    return p;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, a, 0);
    pthread_create(&t[1], 0, b, 0);
    pthread_create(&t[2], 0, c, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
