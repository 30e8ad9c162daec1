/* SPDX-License-Identifier: Apache-2.0 */
/* A semaphore is initialised by both of two threads.
 *
 * treadle: -k
 * expect: runs 2
 * expect: events 6
 * expect: verdict bug
 * expect: finding misuse sem_made_twice.c:24
 * expect: ledger cut short sem_made_twice.c:24
 *
 * treadle: --search=all -k
 * expect: runs 5
 * expect: events 9
 * expect: verdict bug
 * expect: finding misuse sem_made_twice.c:24
 * expect: ledger cut short sem_made_twice.c:24 */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *make(void *arg)
{
    sem_init(&s, 0, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, make, NULL);
    pthread_create(&b, NULL, make, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
