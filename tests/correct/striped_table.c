/* SPDX-License-Identifier: Apache-2.0 */
/* A table with a lock for every second place.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

enum { PLACES = 4, STRIPES = 2 };

static pthread_mutex_t lock[STRIPES] = {PTHREAD_MUTEX_INITIALIZER,
                                        PTHREAD_MUTEX_INITIALIZER};
static int count[PLACES];

static void add(int key)
{
    pthread_mutex_t *l = &lock[key % STRIPES];
    pthread_mutex_lock(l);
    count[key]++;
    pthread_mutex_unlock(l);
}

static void *worker(void *arg)
{
    add(number_of(arg));
    add(3);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    assert(count[0] == 1 && count[1] == 1 && count[2] == 1 && count[3] == 3);
    return 0;
}
