/* SPDX-License-Identifier: Apache-2.0 */
/* In most orders the lock happens to order the two accesses; not in all.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_hidden.c:14 race_hidden.c:28 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *worker(void *arg)
{
    x = 1;
    pthread_mutex_lock(&m);
    y++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    y++;
    pthread_mutex_unlock(&m);
    x = 2;
    pthread_join(t, NULL);
    return 0;
}
