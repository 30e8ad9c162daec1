/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that opens what is perhaps not there yet.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding assert sem_named_lost.c:22
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert sem_named_lost.c:22 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static const char name[] = "/treadle-test-3";

static void *worker(void *arg)
{
    sem_t *s = sem_open(name, 0);
    assert(s != SEM_FAILED);
    sem_post(s);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    sem_t *s = sem_open(name, O_CREAT, 0600, 0);
    sem_wait(s);
    pthread_join(t, NULL);
    sem_unlink(name);
    return 0;
}
