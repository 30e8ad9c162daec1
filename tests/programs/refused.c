/* SPDX-License-Identifier: Apache-2.0 */
/* What is not modelled stops the run with its name; nothing reaches the real library.
 *
 * treadle: --search=all
 * args: sched
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:38 pthread_setschedparam
 *
 * treadle: --search=all
 * args: fork
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:40 fork
 *
 * treadle: --search=all
 * args: unknown
 * expect: verdict incomplete
 * expect: ledger not modelled refused.c:42 pthread_setconcurrency
 *
 * treadle: --search=all
 * args: none
 * expect: runs 1
 * expect: verdict complete */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(int argc, char **argv)
{
    const char *what = argv[argc - 1];
    struct sched_param param = {0};

    pthread_mutex_lock(&m);
    if (!strcmp(what, "sched"))
        pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
    if (!strcmp(what, "fork"))
        fork();
    if (!strcmp(what, "unknown"))
        pthread_setconcurrency(2);
    pthread_mutex_unlock(&m);
    return 0;
}
