/* SPDX-License-Identifier: Apache-2.0 */
/* The handler of a timer posts what main waits for: no deadlock.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not modelled timer_post.c:28 the signal of a timer
 * expect: ledger cannot be undone timer_post.c:26 timer_create
 * expect: ledger deadlocks */
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static sem_t posted;

static void handler(int signal)
{
    (void)signal;
    sem_post(&posted);
}

int main(void)
{
    const struct itimerspec soon = {.it_value = {0, 1000}};
    timer_t timer;
    sem_init(&posted, 0, 0);
    timer_create(CLOCK_MONOTONIC, NULL, &timer);
    signal(SIGALRM, handler);
    timer_settime(timer, 0, &soon, NULL);
    sem_wait(&posted);
    return 0;
}
