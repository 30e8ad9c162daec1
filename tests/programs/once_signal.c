/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads call pthread_once in a program whose handlers other threads can call: the one that
 * comes second could have waited, and a handler could have run there.
 *
 * treadle:
 * expect: verdict complete
 * treadle: --search=random --runs=20
 * expect: verdict incomplete
 * expect: ledger runs */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int n_calls;

static void handle(int number)
{
    (void)number;
}

static void init(void)
{
    n_calls++;
}

static void *work(void *arg)
{
    pthread_once(&once, init);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t, u;
    (void)argv;
    signal(SIGUSR1, handle);
    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, work, NULL);
    if (argc > 1)
        kill(getpid(), SIGUSR1);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    if (n_calls != 1)
        abort();
    return 0;
}
