/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that a handler ends: each read is preceded by a look at signals.
 *
 * treadle: --search=all
 * expect: runs 63
 * expect: traces 3
 * expect: verdict complete
 * treadle:
 * expect: runs 3
 * expect: events 18
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready, stop;

static void handler(int number)
{
    (void)number;
    atomic_store(&stop, 1);
}

static void *waits(void *arg)
{
    atomic_store(&ready, 1);
    while (!atomic_load(&stop)) {
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handler);
    pthread_create(&t, NULL, waits, NULL);
    while (!atomic_load(&ready)) {
    }
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
