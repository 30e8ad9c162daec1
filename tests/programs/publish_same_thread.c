/* SPDX-License-Identifier: Apache-2.0 */
/* A relaxed store of the thread that released goes on with its sequence (C17).
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 3
 * expect: events 9
 * treadle: --search=all
 * expect: verdict complete
 * expect: runs 3
 * expect: events 18
 * expect: traces 3
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;
static volatile int sink;

static void *worker(void *arg)
{
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        sink = data;
    pthread_join(t, NULL);
    return 0;
}
