/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded buffer with semaphores that count places and items.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <semaphore.h>

#include "threads.h"

enum { PLACES = 2, ITEMS = 3 };

static sem_t n_free, n_full;
static int place[PLACES];

static void *producer(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&n_free);
        place[i % PLACES] = i;
        sem_post(&n_full);
    }
    return arg;
}

static void *consumer(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&n_full);
        assert(place[i % PLACES] == i);
        sem_post(&n_free);
    }
    return arg;
}

int main(void)
{
    sem_init(&n_free, 0, PLACES);
    sem_init(&n_full, 0, 0);
    run_two(producer, consumer);
    return 0;
}
