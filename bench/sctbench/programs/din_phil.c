/* SPDX-License-Identifier: Apache-2.0 */
/* din_phil [SEATS]: philosophers eat once. After CS.din_phil2 to 7.
 *
 * Bug: all of them take the left fork first. FIXED: the one with the lower number. */
#include "../../programs/common.h"

enum { MOST = 16 };

static pthread_mutex_t fork_of[MOST] = {[0 ... MOST - 1] = PTHREAD_MUTEX_INITIALIZER};
static int n_seats;

static void *philosopher(void *number)
{
    int first = (int)(intptr_t)number, second = (first + 1) % n_seats;
#ifdef FIXED
    if (second < first) {
        second = first;
        first = 0;
    }
#endif
    pthread_mutex_lock(&fork_of[first]);
    pthread_mutex_lock(&fork_of[second]);
    pthread_mutex_unlock(&fork_of[second]);
    pthread_mutex_unlock(&fork_of[first]);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    n_seats = size_arg(argc, argv, 1, 4, MOST);
    start_all(t, n_seats, philosopher);
    join_all(t, n_seats);
    return 0;
}
