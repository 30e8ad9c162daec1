/* SPDX-License-Identifier: Apache-2.0 */
/* A test-and-set lock, three threads, twice each: every order of six, 6!/(2!2!2!) = 90 traces.
 *
 * treadle:
 * expect: runs 164
 * expect: events 543
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int count;

static void *worker(void *arg)
{
    for (int i = 0; i < 2; i++) {
        while (atomic_exchange(&lock, 1))
            continue;
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
