/* SPDX-License-Identifier: Apache-2.0 */
/* A handler runs in the thread the signal was sent to, before any of its operations, or
 * never.
 *
 * treadle: --search=all
 * expect: runs 44
 * expect: events 48
 * expect: traces 3
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 3
 * expect: events 39
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, seen = -1;
static pthread_t target;

static void handler(int number)
{
    assert(number == SIGUSR1 && pthread_equal(pthread_self(), target));
    atomic_store(&seen, atomic_load(&x));
}

static void *worker(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&target, NULL, worker, NULL);
    int rc = pthread_kill(target, SIGUSR1);
    assert(rc == 0);
    pthread_join(target, NULL);
    assert(seen >= -1 && seen <= 1);
    return 0;
}
