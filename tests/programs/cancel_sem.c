/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that would wait for ever at a semaphore is cancelled: no deadlock.
 *
 * treadle: --search=all
 * expect: runs 3
 * expect: events 11
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 8
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t s;

static void *waiter(void *arg)
{
    sem_wait(&s);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *value;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_cancel(t);
    pthread_join(t, &value);
    assert(value == PTHREAD_CANCELED);
    return 0;
}
