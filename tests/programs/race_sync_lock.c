/* SPDX-License-Identifier: Apache-2.0 */
/* A lock whose release is a relaxed store.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race race_sync_lock.c:18
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_sync_lock.c:18 */
#include <pthread.h>

static int lock;
static int x;

static void try_once(void)
{
    if (__sync_lock_test_and_set(&lock, 1) == 0) {
        x++;
        __atomic_store_n(&lock, 0, __ATOMIC_RELAXED);
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
