/* SPDX-License-Identifier: Apache-2.0 */
/* The handler may run between the check and pause.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock */
#include <pthread.h>
#include <stdatomic.h>
#include <signal.h>
#include <unistd.h>

static atomic_int got;
static void handle(int signal)
{
    got = signal;
}
static void *wait(void *p)
{
    while (!got)
        pause();
    return p;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handle);
    pthread_create(&t, 0, wait, 0);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, 0);
    return 0;
}
