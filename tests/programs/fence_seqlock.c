/* SPDX-License-Identifier: Apache-2.0 */
/* A seqlock: relaxed data, fences around it.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 18
 * expect: events 71
 * treadle: --search=all
 * expect: verdict complete
 * expect: runs 70
 * expect: events 125
 * expect: traces 18
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int a, b;

static void *worker(void *arg)
{
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&a, 7, memory_order_relaxed);
    atomic_store_explicit(&b, 7, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    int x = atomic_load_explicit(&a, memory_order_relaxed);
    int y = atomic_load_explicit(&b, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    unsigned after = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before == after && before % 2 == 0)
        assert(x == y);
    pthread_join(t, NULL);
    return 0;
}
