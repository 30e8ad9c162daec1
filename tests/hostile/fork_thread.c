/* SPDX-License-Identifier: Apache-2.0 */
/* Forks in a thread; the child goes on with mutexes and threads as if it were the program.
 *
 * treadle: --search=all -k --time=20s
 * verdict: incomplete bug
 * runs: 2 */
#include "hostile.h"

#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *more(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *thread(void *arg)
{
    pthread_t t;
    (void)fork();
    pthread_create(&t, NULL, more, NULL);
    pthread_join(t, NULL);
    return arg;
}

static void evil(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
}
