/* SPDX-License-Identifier: Apache-2.0 */
/* A normal mutex unlocked by a thread that does not hold it.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding mutex unlock_other.c:13 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
