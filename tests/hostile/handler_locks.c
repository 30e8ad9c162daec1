/* SPDX-License-Identifier: Apache-2.0 */
/* A handler takes the mutex that the thread has which it interrupts.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug
 * runs: 2 */
#include "hostile.h"

#include <signal.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void handler(int sig)
{
    (void)sig;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}

static void evil(void)
{
    signal(SIGUSR1, handler);
    pthread_mutex_lock(&m);
    raise(SIGUSR1);
    pthread_mutex_unlock(&m);
}
