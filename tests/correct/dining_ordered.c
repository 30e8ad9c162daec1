/* SPDX-License-Identifier: Apache-2.0 */
/* Philosophers who take the fork with the lower number first.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

enum { SEATS = 4 };

static pthread_mutex_t fork_of[SEATS] = {[0 ... SEATS - 1] = PTHREAD_MUTEX_INITIALIZER};
static int n_meals[SEATS];

static void *philosopher(void *arg)
{
    int seat = number_of(arg), next = (seat + 1) % SEATS;
    int low = seat < next ? seat : next, high = seat + next - low;
    pthread_mutex_lock(&fork_of[low]);
    pthread_mutex_lock(&fork_of[high]);
    n_meals[seat]++;
    pthread_mutex_unlock(&fork_of[high]);
    pthread_mutex_unlock(&fork_of[low]);
    return arg;
}

int main(void)
{
    run_threads(SEATS, philosopher);
    for (int i = 0; i < SEATS; i++)
        assert(n_meals[i] == 1);
    return 0;
}
