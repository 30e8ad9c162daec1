/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that holds what main wants before it joins... and main joins first.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding deadlock deadlock_join.c:23 deadlock_join.c:13 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    pthread_mutex_unlock(&m);
    return 0;
}
