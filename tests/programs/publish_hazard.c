/* SPDX-License-Identifier: Apache-2.0 */
/* A hazard pointer: what somebody reads is not reused.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 7
 * expect: events 27
 * treadle: --search=all
 * expect: verdict complete
 * expect: runs 13
 * expect: events 48
 * expect: traces 7
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>

static int values[2] = {1, 2};
static int *_Atomic head = &values[0];
static int *_Atomic hazard;
static volatile int sink;

static void *worker(void *arg)
{
    int *p = atomic_load(&head);
    atomic_store(&hazard, p);
    if (atomic_load(&head) == p) {
        sink = *p;
        atomic_store_explicit(&hazard, NULL, memory_order_release);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int *old = atomic_exchange(&head, &values[1]);
    if (atomic_load(&hazard) != old)
        *old = 0;
    pthread_join(t, NULL);
    return 0;
}
