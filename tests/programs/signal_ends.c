/* SPDX-License-Identifier: Apache-2.0 */
/* A signal without a handler ends the process, whoever it was sent to.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding crash signal_ends.c:26
 *
 * treadle:
 * expect: verdict bug
 * expect: finding crash signal_ends.c:26 */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static void *worker(void *arg)
{
    sleep(1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_kill(t, SIGTERM);
    pthread_join(t, NULL);
    return 0;
}
