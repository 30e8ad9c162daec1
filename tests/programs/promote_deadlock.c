/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the locks are taken in the wrong order depends on who wins a race.
 *
 * treadle: -k
 * expect: verdict bug
 * expect: finding race promote_deadlock.c:16 promote_deadlock.c:29
 * expect: finding deadlock promote_deadlock.c:18 promote_deadlock.c:31 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int reversed;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    reversed = 1;
    /* If main has looked before, this is no danger. */
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&n);
    if (reversed) {
        pthread_mutex_unlock(&n);
        pthread_mutex_lock(&n);
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_unlock(&n);
    pthread_join(t, NULL);
    return 0;
}
