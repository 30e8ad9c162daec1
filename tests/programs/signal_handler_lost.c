/* SPDX-License-Identifier: Apache-2.0 */
/* A handler interrupts the update of what it updates itself.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding assert signal_handler_lost.c:38
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert signal_handler_lost.c:38 */
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
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
    pthread_t t;
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&t, NULL, worker, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    assert(n == 2);
    return 0;
}
