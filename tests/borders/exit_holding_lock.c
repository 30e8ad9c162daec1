/* SPDX-License-Identifier: Apache-2.0 */
/* The mutex of a thread that has ended is never free again.
 *
 * treadle: -k
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding mutex exit_holding_lock.c:16
 * expect: finding deadlock exit_holding_lock.c:25 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *f(void *a)
{
    pthread_mutex_lock(&m);
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    pthread_mutex_lock(&m);
    return 0;
}
