/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread does before it sets a handler happens before the handler, whichever thread runs it.
 *
 * treadle: -k
 * expect: verdict complete */
#include <pthread.h>
#include <signal.h>

static int ready;

static void handler(int n)
{
    (void)n;
    ready++;
}

static void *sets(void *arg)
{
    (void)arg;
    ready = 5;
    signal(SIGUSR1, handler);
    return NULL;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, SIG_IGN);
    pthread_create(&t, NULL, sets, NULL);
    raise(SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
