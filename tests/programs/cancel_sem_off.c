/* SPDX-License-Identifier: Apache-2.0 */
/* The same with cancellation switched off: a deadlock.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding deadlock cancel_sem_off.c:20
 *
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock cancel_sem_off.c:20 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t s;

static void *waiter(void *arg)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    sem_wait(&s);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    return 0;
}
