/* SPDX-License-Identifier: Apache-2.0 */
/* __sync_synchronize is a fence.
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

static int data;
static int flag;
static volatile int sink;

static void *worker(void *arg)
{
    data = 42;
    __sync_synchronize();
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    if (__atomic_load_n(&flag, __ATOMIC_RELAXED)) {
        __sync_synchronize();
        sink = data;
    }
    pthread_join(t, NULL);
    return 0;
}
