/* SPDX-License-Identifier: Apache-2.0 */
/* Two release sequences at a time: the relaxed store of b goes on with its own one and ends that of
 * a, so that who reads 3 knows nothing of data.
 * treadle:
 * expect: verdict bug
 * expect: finding race release_two_heads.c:15 release_two_heads.c:32 */
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
    int one = 1;
    if (atomic_compare_exchange_strong_explicit(&f, &one, 2, memory_order_release,
                                                memory_order_relaxed))
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
