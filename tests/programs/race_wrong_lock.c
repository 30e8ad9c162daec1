/* SPDX-License-Identifier: Apache-2.0 */
/* Both hold a lock, but not the same one.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_wrong_lock.c:15 race_wrong_lock.c:25 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&n);
    x++;
    pthread_mutex_unlock(&n);
    pthread_join(t, NULL);
    return 0;
}
