/* SPDX-License-Identifier: Apache-2.0 */
/* The same; the writer moves on with relaxed order.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race race_ring.c:23 race_ring.c:32
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_ring.c:23 race_ring.c:32 */
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2u

static int ring[SIZE];
static atomic_uint head, tail;
static volatile int sink;

static void put(int value)
{
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    if (h - atomic_load_explicit(&tail, memory_order_acquire) < SIZE) {
        ring[h % SIZE] = value;
        atomic_store_explicit(&head, h + 1, memory_order_relaxed);
    }
}

static void get(void)
{
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    if (t != atomic_load_explicit(&head, memory_order_acquire)) {
        sink = ring[t % SIZE];
        atomic_store_explicit(&tail, t + 1, memory_order_release);
    }
}

static void *worker(void *arg)
{
    put(1);
    put(2);
    put(3);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    get();
    get();
    pthread_join(t, NULL);
    return 0;
}
