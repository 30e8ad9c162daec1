/* SPDX-License-Identifier: Apache-2.0 */
/* A loop without end, which counts: its unfolding is infinite, its classes are not. The runs are
 * cut, and the result says so.
 *
 * treadle: --goal=races --depth=200
 * expect: verdict bug
 * expect: finding race manners_endless.c:21 manners_endless.c:35
 * expect: finding race manners_endless.c:23 manners_endless.c:35
 * expect: ledger depth
 * expect: ledger loops */
#include <pthread.h>
#include <unistd.h>

static int interval = 1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n_looks;

static void *look_after(void *arg)
{
    while (arg == NULL) {
        if (interval <= 0)
            return arg;
        interval = 5;
        pthread_mutex_lock(&m);
        n_looks++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, look_after, NULL);
    interval = 7;
    pthread_join(t, NULL);
    return 0;
}
