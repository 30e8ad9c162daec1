/* SPDX-License-Identifier: Apache-2.0 */
/* A thread waits for a signal that all threads block.
 *
 * treadle: --search=all
 * expect: runs 2
 * expect: events 13
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 7
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static sigset_t set;
static int n;

static void *waiter(void *arg)
{
    int number = 0;
    int rc = sigwait(&set, &number);
    assert(rc == 0 && number == SIGUSR1 && n == 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, waiter, NULL);
    n = 1;
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
