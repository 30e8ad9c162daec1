/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that joins another is cancelled; the other one is joined by main.
 *
 * treadle: --search=all
 * expect: runs 35
 * expect: events 18
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 13
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t s;
static pthread_t worker, joiner;

static void *work(void *arg)
{
    sem_wait(&s);
    return arg;
}

static void *join(void *arg)
{
    pthread_join(worker, NULL);
    return arg;
}

int main(void)
{
    void *value;
    sem_init(&s, 0, 0);
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&joiner, NULL, join, NULL);
    pthread_cancel(joiner);
    pthread_join(joiner, &value);
    assert(value == PTHREAD_CANCELED);
    sem_post(&s);
    pthread_join(worker, NULL);
    return 0;
}
