/* SPDX-License-Identifier: Apache-2.0 */
/* A thread ends with the mutex locked: the next one would wait for ever.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding mutex lock_left.c:13 */
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
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    pthread_mutex_lock(&m);
    return 0;
}
