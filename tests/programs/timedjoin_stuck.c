/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that never ends, joined with a timeout: no deadlock.
 *
 * treadle: --search=all
 * expect: runs 2
 * expect: events 5
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 4
 * expect: verdict complete
 * hand: 0 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static sem_t s;

static void *worker(void *arg)
{
    sem_wait(&s);
    return arg;
}

int main(void)
{
    struct timespec until = {1, 0};
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    int rc = pthread_timedjoin_np(t, NULL, &until);
    assert(rc == ETIMEDOUT);
    return 0;
}
