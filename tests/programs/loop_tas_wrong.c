/* SPDX-License-Identifier: Apache-2.0 */
/* Test, then set: two threads get the lock.
 *
 * treadle:
 * expect: runs 2
 * expect: events 35
 * expect: verdict bug
 * expect: finding race loop_tas_wrong.c:22 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int count;

static void *worker(void *arg)
{
    for (int i = 0; i < 2; i++) {
        while (atomic_load(&lock))
            continue;
        atomic_store(&lock, 1);
        count++;
        atomic_store(&lock, 0);
    }
    return arg;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(count == 6);
    return 0;
}
