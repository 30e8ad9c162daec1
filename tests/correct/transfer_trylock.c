/* SPDX-License-Identifier: Apache-2.0 */
/* Who does not get the second lock gives the first one back, and gives up.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int n_done;

static void *worker(void *arg)
{
    int me = number_of(arg);
    pthread_mutex_lock(&lock[me]);
    if (pthread_mutex_trylock(&lock[1 - me]) == 0) {
        n_done++;
        pthread_mutex_unlock(&lock[1 - me]);
    }
    pthread_mutex_unlock(&lock[me]);
    return arg;
}

int main(void)
{
    run_threads(2, worker);
    assert(n_done <= 2);
    return 0;
}
