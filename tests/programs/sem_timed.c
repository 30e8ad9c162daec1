/* SPDX-License-Identifier: Apache-2.0 */
/* sem_timedwait gets it or gives up.
 *
 * treadle: -k
 * expect: runs 3
 * expect: events 12
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 3
 * expect: events 20
 * expect: verdict complete */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;

static void *give(void *arg)
{
    sem_post(&s);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct timespec until = {1, 0};
    int value;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, give, NULL);
    int error = sem_timedwait(&s, &until) ? errno : 0;
    assert(error == 0 || error == ETIMEDOUT);
    pthread_join(t, NULL);
    sem_getvalue(&s, &value);
    assert(value == (error == ETIMEDOUT));
    return 0;
}
