/* SPDX-License-Identifier: Apache-2.0 */
/* Creates threads that wait for ever, without end.
 *
 * treadle: --search=random --runs=2 --time=40s
 * verdict: incomplete bug
 * runs: 1
 * lost: no */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    while (pthread_create(&t, NULL, worker, NULL) == 0)
        continue;
    return 0;
}
