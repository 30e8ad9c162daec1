/* SPDX-License-Identifier: Apache-2.0 */
/* Critical sections that overlap: m, then n, then m is given back first.
 *
 * treadle: --search=all
 * expect: runs 43
 * expect: events 28
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 * model: main: create A, create B, join A, join B, exit
 * model: A: lock m, lock n, unlock m, unlock n
 * model: B: lock m, lock n, unlock m, unlock n */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
