/* SPDX-License-Identifier: Apache-2.0 */
/* An exchange that fails acquires, if its second order says so.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 2
 * expect: events 5
 * treadle: --search=all
 * expect: verdict complete
 * expect: runs 2
 * expect: events 11
 * expect: traces 2
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
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int expected = 0;
    if (!atomic_compare_exchange_strong_explicit(
            &flag, &expected, 2, memory_order_acq_rel, memory_order_acquire))
        sink = data;
    pthread_join(t, NULL);
    return 0;
}
