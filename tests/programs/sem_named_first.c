/* SPDX-License-Identifier: Apache-2.0 */
/* Of two threads that create the same name, one does.
 *
 * treadle: --search=all
 * expect: runs 4
 * expect: events 17
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 11
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static const char name[] = "/treadle-test-2";
static atomic_int made;

static void *worker(void *arg)
{
    sem_t *s = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
    if (s != SEM_FAILED)
        atomic_fetch_add(&made, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(made == 1);
    sem_unlink(name);
    return 0;
}
