/* SPDX-License-Identifier: Apache-2.0 */
/* Two atoms of hydrogen and one of oxygen meet at a barrier, each kind counted.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <semaphore.h>

#include "threads.h"

enum { HYDROGEN = 2 };

static sem_t may_bond[2]; /* oxygen, hydrogen */
static pthread_barrier_t bond;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n_bonded[2];

static void *atom(void *arg)
{
    int kind = number_of(arg) < HYDROGEN;
    sem_wait(&may_bond[kind]);
    pthread_mutex_lock(&lock);
    n_bonded[kind]++;
    pthread_mutex_unlock(&lock);
    pthread_barrier_wait(&bond);
    assert(n_bonded[0] == 1 && n_bonded[1] == HYDROGEN);
    return arg;
}

int main(void)
{
    sem_init(&may_bond[0], 0, 1);
    sem_init(&may_bond[1], 0, HYDROGEN);
    pthread_barrier_init(&bond, NULL, HYDROGEN + 1);
    run_threads(HYDROGEN + 1, atom);
    pthread_barrier_destroy(&bond);
    return 0;
}
