/* SPDX-License-Identifier: Apache-2.0 */
/* A signal that stops the process is not modelled.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: events 3
 * expect: traces 1
 * expect: verdict incomplete
 * expect: ledger not modelled signal_stops.c:29 a signal that stops the process
 *
 * treadle:
 * expect: runs 1
 * expect: events 2
 * expect: verdict incomplete
 * expect: ledger not modelled signal_stops.c:29 a signal that stops the process */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void *worker(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_kill(t, SIGSTOP);
    pthread_join(t, NULL);
    return 0;
}
