/* SPDX-License-Identifier: Apache-2.0 */
/* A thread ends while it holds a read-write lock.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 2
 * expect: verdict bug
 * expect: finding misuse end_writing.c:21
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 5
 * expect: verdict bug
 * expect: finding misuse end_writing.c:21 */
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *take(void *arg)
{
    pthread_rwlock_wrlock(&l);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, take, NULL);
    pthread_join(t, NULL);
    return 0;
}
