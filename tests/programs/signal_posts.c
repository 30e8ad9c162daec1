/* SPDX-License-Identifier: Apache-2.0 */
/* A handler posts the semaphore that its thread waits for: no deadlock.
 *
 * treadle: --search=all
 * expect: runs 22
 * expect: events 32
 * expect: traces 3
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 3
 * expect: events 26
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static sem_t s;

static void handler(int number)
{
    sem_post(&s);
}

static void *waiter(void *arg)
{
    while (sem_wait(&s) != 0)
        continue;
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    pthread_t t;
    sem_init(&s, 0, 0);
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
