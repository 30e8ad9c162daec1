/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded buffer with a condition for each side.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

enum { PLACES = 1, ITEMS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int place[PLACES], n_items;

static void *producer(void *arg)
{
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (n_items == PLACES)
            pthread_cond_wait(&not_full, &lock);
        place[n_items++] = i;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *consumer(void *arg)
{
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (n_items == 0)
            pthread_cond_wait(&not_empty, &lock);
        assert(place[--n_items] == i);
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    run_two(producer, consumer);
    return 0;
}
