/* SPDX-License-Identifier: Apache-2.0 */
/* The same with the signal blocked during the update.
 *
 * treadle: --search=all
 * expect: runs 274
 * expect: events 210
 * expect: traces 12
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 12
 * expect: events 174
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int n;

static void handler(int number)
{
    atomic_store(&n, atomic_load(&n) + 1);
}

static void *worker(void *arg)
{
    atomic_store(&n, atomic_load(&n) + 1);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
    pthread_t t;
    sigaction(SIGUSR1, &action, NULL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, worker, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    assert(n == 1 || n == 2);
    return 0;
}
