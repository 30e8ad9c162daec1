/* SPDX-License-Identifier: Apache-2.0 */
/* What was a semaphore is locked.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 2
 * expect: verdict bug
 * expect: finding mutex wrong_object.c:28
 * expect: ledger cut short wrong_object.c:28
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 2
 * expect: verdict bug
 * expect: finding mutex wrong_object.c:28
 * expect: ledger cut short wrong_object.c:28 */
#include <pthread.h>
#include <semaphore.h>

static union {
    sem_t s;
    pthread_mutex_t m;
} u;

int main(void)
{
    sem_init(&u.s, 0, 1);
    pthread_mutex_lock(&u.m);
    return 0;
}
