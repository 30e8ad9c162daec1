/* SPDX-License-Identifier: Apache-2.0 */
/* A lock that was not got in time is given back.
 *
 * treadle: -k
 * expect: runs 12
 * expect: events 38
 * expect: verdict bug
 * expect: finding mutex timedlock_unlock.c:26
 * expect: ledger cut short timedlock_unlock.c:26
 *
 * treadle: --search=all -k
 * expect: runs 46
 * expect: events 78
 * expect: verdict bug
 * expect: finding mutex timedlock_unlock.c:26
 * expect: ledger cut short timedlock_unlock.c:26 */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec until = {1, 0};

static void *take(void *arg)
{
    pthread_mutex_timedlock(&m, &until);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
