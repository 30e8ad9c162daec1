/* SPDX-License-Identifier: Apache-2.0 */
/* sigsuspend and pause end with a handler.
 *
 * treadle: --search=all
 * expect: runs 31
 * expect: events 72
 * expect: traces 8
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 8
 * expect: events 48
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile int n;

static void handler(int number)
{
    n += number == SIGUSR1;
}

static void *waiter(void *arg)
{
    sigset_t none;
    sigemptyset(&none);
    int rc = sigsuspend(&none);
    assert(rc == -1 && errno == EINTR && n == 1);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
    pthread_t t;
    sigset_t set;
    sigaction(SIGUSR1, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    assert(n == 1);
    return 0;
}
