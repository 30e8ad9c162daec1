/* SPDX-License-Identifier: Apache-2.0 */
/* sem_timedwait again and again, with a new time in every round. Who should post asks first whether
 * anything is there; FIXED posts.
 *
 * treadle: -k
 * agree: -k --search=all
 * agree: -k --goal=traces
 * expect: runs 3
 * expect: events 8
 * expect: verdict bug
 * expect: finding livelock retry_sem.c:44
 *
 * treadle: -k
 * cflags: -DFIXED
 * agree: -k --search=all
 * agree: -k --goal=traces
 * expect: runs 4
 * expect: events 13
 * expect: verdict complete */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t ready;

static void *post(void *arg)
{
    int value = 1;
#ifndef FIXED
    sem_getvalue(&ready, &value);
#endif
    if (value > 0)
        sem_post(&ready);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct timespec until;
    sem_init(&ready, 0, 0);
    pthread_create(&t, NULL, post, NULL);
    do {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += 1;
    } while (sem_timedwait(&ready, &until) != 0);
    pthread_join(t, NULL);
    return 0;
}
