/* SPDX-License-Identifier: Apache-2.0 */
/* Masks belong to threads and are inherited; what is blocked waits.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: events 5
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 1
 * expect: events 2
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static sigset_t set;
static int n;

static void handler(int number)
{
    n += number == SIGUSR1;
}

static void *worker(void *arg)
{
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    assert(sigismember(&now, SIGUSR1) == 1 && sigismember(&now, SIGUSR2) == 0);
    int rc = pthread_sigmask(17, &set, NULL);
    assert(rc == EINVAL);
    raise(SIGUSR1);
    sigpending(&now);
    assert(n == 0 && sigismember(&now, SIGUSR1) == 1);
    pthread_sigmask(SIG_UNBLOCK, &set, &now);
    assert(n == 1 && sigismember(&now, SIGUSR1) == 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    sigset_t now;
    signal(SIGUSR1, handler);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_SETMASK, &set, NULL);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    sigpending(&now);
    assert(n == 1 && sigismember(&now, SIGUSR1) == 0);
    sigprocmask(SIG_SETMASK, NULL, &now);
    assert(sigismember(&now, SIGUSR1) == 1);
    return 0;
}
