/* SPDX-License-Identifier: Apache-2.0 */
/* What is written after the release is not published by the relaxed store that follows.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race race_same_thread.c:20 race_same_thread.c:30
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_same_thread.c:20 race_same_thread.c:30 */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;
static volatile int sink;

static void *worker(void *arg)
{
    atomic_store_explicit(&flag, 1, memory_order_release);
    data = 42;
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
