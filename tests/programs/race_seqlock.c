/* SPDX-License-Identifier: Apache-2.0 */
/* A seqlock whose data is not atomic: read while it is written, though the reader throws it
 * away.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race race_seqlock.c:22 race_seqlock.c:33
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_seqlock.c:22 race_seqlock.c:33 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static int a, b;

static void *worker(void *arg)
{
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    a = 7;
    b = 7;
    atomic_store_explicit(&sequence, 2, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    int x = a;
    int y = b;
    atomic_thread_fence(memory_order_acquire);
    unsigned after = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before == after && before % 2 == 0)
        assert(x == y);
    pthread_join(t, NULL);
    return 0;
}
