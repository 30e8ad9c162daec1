/* SPDX-License-Identifier: Apache-2.0 */
/* A handler ends a wait at a semaphore, unless the wait goes on.
 *
 * treadle: --search=all
 * expect: runs 244
 * expect: events 55
 * expect: traces 4
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 4
 * expect: events 43
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t s;
static atomic_int handled;

static void handler(int number)
{
    atomic_store(&handled, number);
}

static void *waiter(void *arg)
{
    if (sem_wait(&s) == -1)
        assert(errno == EINTR && handled == SIGUSR1);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
    pthread_t t;
    sem_init(&s, 0, 0);
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_kill(t, SIGUSR1);
    sem_post(&s);
    pthread_join(t, NULL);
    return 0;
}
