/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a thread does not count in the depth: it comes with the last operation of the thread, and
 * a run that has reached the limit there ends behind it. With other depths the limit falls elsewhere.
 *
 * treadle: --search=all --depth=8
 * expect: verdict incomplete
 * expect: ledger depth
 *
 * treadle: --search=random --runs=300 --depth=20
 * expect: runs 300
 * expect: verdict incomplete
 * expect: ledger depth
 * expect: ledger runs */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *for_ever(void *arg)
{
    while (arg) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *once(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, for_ever, &t);
    pthread_create(&t, NULL, once, NULL);
    pthread_join(t, NULL);
    return 0;
}
