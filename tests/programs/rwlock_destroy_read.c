/* SPDX-License-Identifier: Apache-2.0 */
/* A read-write lock is destroyed while somebody reads.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 2
 * expect: verdict bug
 * expect: finding misuse rwlock_destroy_read.c:24
 * expect: ledger cut short rwlock_destroy_read.c:24
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 2
 * expect: verdict bug
 * expect: finding misuse rwlock_destroy_read.c:24
 * expect: ledger cut short rwlock_destroy_read.c:24 */
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_destroy(&l);
    return 0;
}
