/* SPDX-License-Identifier: Apache-2.0 */
/* A semaphore that was never initialised.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 0
 * expect: verdict bug
 * expect: finding misuse sem_never_made.c:24
 * expect: ledger cut short sem_never_made.c:24
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 0
 * expect: verdict bug
 * expect: finding misuse sem_never_made.c:24
 * expect: ledger cut short sem_never_made.c:24 */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

int main(void)
{
    sem_wait(&s);
    return 0;
}
