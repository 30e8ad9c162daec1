/* SPDX-License-Identifier: Apache-2.0 */
/* dining.c with an order of the forks: everybody takes the lower number first. */
#include <pthread.h>
#include <stdint.h>

enum { SEATS = 3 };

static pthread_mutex_t fork_of[SEATS] = {PTHREAD_MUTEX_INITIALIZER,
                                         PTHREAD_MUTEX_INITIALIZER,
                                         PTHREAD_MUTEX_INITIALIZER};

static void *philosopher(void *arg)
{
    int seat = (int)(intptr_t)arg, next = (seat + 1) % SEATS;
    pthread_mutex_t *first = &fork_of[seat < next ? seat : next];
    pthread_mutex_t *second = &fork_of[seat < next ? next : seat];

    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
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
