/* SPDX-License-Identifier: Apache-2.0 */
/* A program without pthread_cancel has no operations for it: cancellation points are
 * nothing.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: events 7
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 1
 * expect: events 4
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <unistd.h>

static sem_t s;

static void *worker(void *arg)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    pthread_testcancel();
    sem_post(&s);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    pthread_testcancel();
    sleep(1);
    sem_wait(&s);
    pthread_join(t, NULL);
    return 0;
}
