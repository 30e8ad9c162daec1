/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex is initialised by both of two threads.
 *
 * treadle: -k
 * expect: runs 2
 * expect: events 6
 * expect: verdict bug
 * expect: finding mutex init_twice.c:23
 * expect: ledger cut short init_twice.c:23
 *
 * treadle: --search=all -k
 * expect: runs 5
 * expect: events 9
 * expect: verdict bug
 * expect: finding mutex init_twice.c:23
 * expect: ledger cut short init_twice.c:23 */
#include <pthread.h>

static pthread_mutex_t m;

static void *make(void *arg)
{
    pthread_mutex_init(&m, NULL);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, make, NULL);
    pthread_create(&b, NULL, make, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
