/* SPDX-License-Identifier: Apache-2.0 */
/* A read-write lock is given back by who does not have it.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 2
 * expect: verdict bug
 * expect: finding misuse rwlock_unlock_other.c:23
 * expect: ledger cut short rwlock_unlock_other.c:23
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 2
 * expect: verdict bug
 * expect: finding misuse rwlock_unlock_other.c:23
 * expect: ledger cut short rwlock_unlock_other.c:23 */
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *give(void *arg)
{
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_rwlock_wrlock(&l);
    pthread_create(&t, NULL, give, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_unlock(&l);
    return 0;
}
