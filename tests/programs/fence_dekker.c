/* SPDX-License-Identifier: Apache-2.0 */
/* Dekker's entry with relaxed accesses and fences; whoever meets the other gives up.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 7
 * expect: events 29
 * treadle: --search=all
 * expect: verdict complete
 * expect: runs 20
 * expect: events 50
 * expect: traces 7
 * hand: 0 */
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
    atomic_store_explicit(&wants[i], 0, memory_order_release);
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
