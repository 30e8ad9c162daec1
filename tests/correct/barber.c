/* SPDX-License-Identifier: Apache-2.0 */
/* The sleeping barber: customers who find no chair go away.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <semaphore.h>

#include "threads.h"

enum { CUSTOMERS = 2, CHAIRS = 1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t customers, done;
static int n_waiting, n_served, n_left;

static void *customer(void *arg)
{
    pthread_mutex_lock(&lock);
    int stays = n_waiting < CHAIRS;
    n_waiting += stays;
    n_left += !stays;
    pthread_mutex_unlock(&lock);
    sem_post(&customers);
    if (stays)
        sem_wait(&done);
    return arg;
}

/* Who goes away rings as well, so that the barber can count. */
static void *barber(void *arg)
{
    for (int i = 0; i < CUSTOMERS; i++) {
        sem_wait(&customers);
        pthread_mutex_lock(&lock);
        int is_there = n_waiting > 0;
        n_waiting -= is_there;
        n_served += is_there;
        pthread_mutex_unlock(&lock);
        if (is_there)
            sem_post(&done);
    }
    return arg;
}

static void *worker(void *arg)
{
    return number_of(arg) == 0 ? barber(arg) : customer(arg);
}

int main(void)
{
    sem_init(&customers, 0, 0);
    sem_init(&done, 0, 0);
    run_threads(1 + CUSTOMERS, worker);
    assert(n_served + n_left == CUSTOMERS);
    return 0;
}
