/* SPDX-License-Identifier: Apache-2.0 */
/* Three philosophers; each takes the left fork, then the right one. */
#include <pthread.h>
#include <stdint.h>

enum { SEATS = 3 };

static pthread_mutex_t fork_of[SEATS] = {PTHREAD_MUTEX_INITIALIZER,
                                         PTHREAD_MUTEX_INITIALIZER,
                                         PTHREAD_MUTEX_INITIALIZER};

static void *philosopher(void *arg)
{
    int seat = (int)(intptr_t)arg;
    pthread_mutex_t *left = &fork_of[seat];
    pthread_mutex_t *right = &fork_of[(seat + 1) % SEATS];

    pthread_mutex_lock(left);
    pthread_mutex_lock(right);
    pthread_mutex_unlock(right);
    pthread_mutex_unlock(left);
    return NULL;
}

int main(void)
{
    pthread_t t[SEATS];
    for (intptr_t i = 0; i < SEATS; i++)
        pthread_create(&t[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
