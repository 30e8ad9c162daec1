/* SPDX-License-Identifier: Apache-2.0 */
/* dining SEATS [MEALS]: each philosopher eats twice, left fork first; they can block each
 * other. Complete and deadlocked traces: 3 seats 90 and 16, 4 786 and 45, 5 5730 and 121,
 * 6 38466 and 320. */
#include "common.h"

enum { MOST = 64 };

static pthread_mutex_t fork_of[MOST] = {[0 ... MOST - 1] = PTHREAD_MUTEX_INITIALIZER};
static int n_seats, n_meals;

static void *philosopher(void *number)
{
    int seat = (int)(intptr_t)number;
    pthread_mutex_t *left = &fork_of[seat];
    pthread_mutex_t *right = &fork_of[(seat + 1) % n_seats];
    for (int meal = 0; meal < n_meals; meal++) {
        pthread_mutex_lock(left);
        pthread_mutex_lock(right);
        pthread_mutex_unlock(right);
        pthread_mutex_unlock(left);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    n_seats = size_arg(argc, argv, 1, 4, MOST);
    n_meals = size_arg(argc, argv, 2, 2, 1000);
    start_all(t, n_seats, philosopher);
    return leave();
}
