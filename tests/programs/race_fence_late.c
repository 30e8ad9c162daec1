/* SPDX-License-Identifier: Apache-2.0 */
/* The fence of the reader stands behind what it is to protect.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race race_fence_late.c:19 race_fence_late.c:30
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_fence_late.c:19 race_fence_late.c:30 */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_uint bits;
static volatile int sink;

static void *worker(void *arg)
{
    data = 42;
    atomic_thread_fence(memory_order_release);
    atomic_fetch_or_explicit(&bits, 4, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    if (atomic_exchange_explicit(&bits, 0, memory_order_relaxed) & 4) {
        sink = data;
        atomic_thread_fence(memory_order_acquire);
    }
    pthread_join(t, NULL);
    return 0;
}
