/* SPDX-License-Identifier: Apache-2.0 */
/* Left fork first, but a semaphore keeps one philosopher away from the table.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <semaphore.h>

#include "threads.h"

enum { SEATS = 3 };

static pthread_mutex_t fork_of[SEATS] = {[0 ... SEATS - 1] = PTHREAD_MUTEX_INITIALIZER};
static sem_t chairs;

static void *philosopher(void *arg)
{
    int seat = number_of(arg);
    sem_wait(&chairs);
    pthread_mutex_lock(&fork_of[seat]);
    pthread_mutex_lock(&fork_of[(seat + 1) % SEATS]);
    pthread_mutex_unlock(&fork_of[(seat + 1) % SEATS]);
    pthread_mutex_unlock(&fork_of[seat]);
    sem_post(&chairs);
    return arg;
}

int main(void)
{
    sem_init(&chairs, 0, SEATS - 1);
    run_threads(SEATS, philosopher);
    sem_destroy(&chairs);
    return 0;
}
