/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads take turns; each has its condition.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t my_turn[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static int turn, n_hits;

static void *player(void *arg)
{
    int me = number_of(arg);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        while (turn != me)
            pthread_cond_wait(&my_turn[me], &lock);
        assert(n_hits % 2 == me);
        n_hits++;
        turn = 1 - me;
        pthread_cond_signal(&my_turn[turn]);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    run_threads(2, player);
    assert(n_hits == 4);
    return 0;
}
