/* SPDX-License-Identifier: Apache-2.0 */
/* What is read after pthread_tryjoin_np said that the thread is still running.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race tryjoin_race.c:29 tryjoin_race.c:20
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race tryjoin_race.c:29 tryjoin_race.c:20 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static int n;

static void *worker(void *arg)
{
    n = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    if (pthread_tryjoin_np(t, NULL) == EBUSY)
        return n - 1;
    return 0;
}
