/* SPDX-License-Identifier: Apache-2.0 */
/* A semaphore is destroyed before its last post.
 *
 * treadle: -k
 * expect: runs 3
 * expect: events 10
 * expect: verdict bug
 * expect: finding misuse sem_gone.c:30
 * expect: finding race sem_gone.c:40 sem_gone.c:30
 * expect: ledger race sem_gone.c:40
 * expect: ledger race sem_gone.c:30
 * expect: ledger cut short sem_gone.c:30
 *
 * treadle: --search=all -k
 * expect: runs 3
 * expect: events 16
 * expect: verdict bug
 * expect: finding misuse sem_gone.c:30
 * expect: finding race sem_gone.c:40 sem_gone.c:30
 * expect: ledger race sem_gone.c:40
 * expect: ledger race sem_gone.c:30
 * expect: ledger cut short sem_gone.c:30 */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *give(void *arg)
{
    sem_post(&s);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 1);
    pthread_create(&t, NULL, give, NULL);
    sem_wait(&s);
    sem_destroy(&s);
    pthread_join(t, NULL);
    return 0;
}
