/* SPDX-License-Identifier: Apache-2.0 */
/* single_lock THREADS ONCE: THREADS threads enter twice, and ONCE more threads enter once, a
 * section under the one lock; each section touches other variables. All orders of the
 * sections: (2 THREADS + ONCE)! / 2^THREADS traces, 2520 for 4 0 and 22680 for 4 1. */
#include "common.h"

enum { CELLS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int cell[CELLS];

static void section(int number, int round)
{
    pthread_mutex_lock(&lock);
    cell[(number + round) % CELLS] += cell[number % CELLS] + 1;
    pthread_mutex_unlock(&lock);
}

static void *twice(void *number)
{
    section((int)(intptr_t)number, 0);
    section((int)(intptr_t)number, 1);
    return NULL;
}

static void *once(void *number)
{
    section((int)(intptr_t)number, 2);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MAX_THREADS];
    int n_twice = size_arg(argc, argv, 1, 4, 50);
    int n_once = argc > 2 ? atoi(argv[2]) : 0;
    start_all(t, n_twice, twice);
    for (int i = 0; i < n_once && i < 50; i++)
        start(once, n_twice + i);
    return leave();
}
