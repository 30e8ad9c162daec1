/* SPDX-License-Identifier: Apache-2.0 */
/* A run ends at a call that is not modelled while a thread is about to try a semaphore: what it does next
 * is aimed at, whatever comes of it.
 *
 * treadle: --goal=branches
 * expect: verdict incomplete
 * expect: sides 0/4
 * expect: ledger not modelled branch_trywait_cut.c:30
 * expect: ledger not reached */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t o;
static int had;

static void *other(void *arg)
{
    if (sem_trywait(&o) == 0)
        had = 1;
    return arg;
}

int main(void)
{
    pthread_t a;
    sem_init(&o, 0, 1);
    pthread_create(&a, NULL, other, NULL);
    if (fork() == 0)
        exit(1);
    return 0;
}
