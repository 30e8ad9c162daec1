/* SPDX-License-Identifier: Apache-2.0 */
/* The fence stands before what it is to publish.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race race_fence_order.c:20 race_fence_order.c:31
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_fence_order.c:20 race_fence_order.c:31 */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_uint bits;
static volatile int sink;

static void *worker(void *arg)
{
    atomic_thread_fence(memory_order_release);
    data = 42;
    atomic_fetch_or_explicit(&bits, 4, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    if (atomic_exchange_explicit(&bits, 0, memory_order_relaxed) & 4) {
        atomic_thread_fence(memory_order_acquire);
        sink = data;
    }
    pthread_join(t, NULL);
    return 0;
}
