/* SPDX-License-Identifier: Apache-2.0 */
/* The same, left with relaxed order.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race race_fence_dekker.c:22
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_fence_dekker.c:22 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static int x;

static void try_once(int i)
{
    atomic_store_explicit(&wants[i], 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&wants[1 - i], memory_order_relaxed) == 0) {
        atomic_thread_fence(memory_order_acquire);
        x++;
    }
    atomic_store_explicit(&wants[i], 0, memory_order_relaxed);
}

static void *worker(void *arg)
{
    try_once(1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    try_once(0);
    pthread_join(t, NULL);
    return 0;
}
