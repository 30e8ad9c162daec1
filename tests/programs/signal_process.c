/* SPDX-License-Identifier: Apache-2.0 */
/* A signal to the process: one of those who wait for it takes it, the others go on
 * waiting.
 *
 * treadle: --search=all
 * expect: runs 132
 * expect: events 96
 * expect: traces 47
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 20
 * expect: events 61
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static sigset_t set;
static atomic_int n;

static void *waiter(void *arg)
{
    siginfo_t info;
    int number;
    do
        number = sigwaitinfo(&set, &info);
    while (number == -1);
    assert(number == SIGTERM && info.si_signo == SIGTERM);
    atomic_fetch_add(&n, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    kill(getpid(), SIGTERM);
    assert(n <= 1);
    return 0;
}
