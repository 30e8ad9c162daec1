/* SPDX-License-Identifier: Apache-2.0 */
/* A lock made of the __sync builtins.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 4
 * expect: events 13
 * treadle: --search=all
 * expect: verdict complete
 * expect: runs 4
 * expect: events 25
 * expect: traces 4
 * hand: 0 */
#include <pthread.h>

static int lock;
static int x;

static void try_once(void)
{
    if (__sync_lock_test_and_set(&lock, 1) == 0) {
        x++;
        __sync_lock_release(&lock);
    }
}

static void *worker(void *arg)
{
    try_once();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    try_once();
    pthread_join(t, NULL);
    return 0;
}
