/* SPDX-License-Identifier: Apache-2.0 */
/* Who does not get the second lock gives the first one back and tries again.
 * A round that takes a lock and gives it back has done nothing; there is no end of them.
 *
 * treadle:
 * agree: --search=all
 * agree: --goal=traces
 * expect: runs 11
 * expect: events 50
 * expect: verdict complete
 * hand: 0 */
#include <sched.h>

#include "threads.h"

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int n_done;

static void *worker(void *arg)
{
    int me = number_of(arg);
    for (;;) {
        pthread_mutex_lock(&lock[me]);
        if (pthread_mutex_trylock(&lock[1 - me]) == 0)
            break;
        pthread_mutex_unlock(&lock[me]);
        sched_yield();
    }
    n_done++;
    pthread_mutex_unlock(&lock[1 - me]);
    pthread_mutex_unlock(&lock[me]);
    return arg;
}

int main(void)
{
    run_threads(2, worker);
    assert(n_done == 2);
    return 0;
}
