/* SPDX-License-Identifier: Apache-2.0 */
/* A read lock of what is destroyed takes nothing: a writer that comes afterwards finds nobody
 * inside, and fails by itself. The four orders: the writer is done before the destroy, or holds
 * the lock then; or it comes after it, before or after the reader.
 *
 * treadle: -k
 * agree: -k --search=all
 * agree: -k --goal=traces
 * expect: runs 4
 * expect: events 12
 * expect: verdict bug
 * expect: finding misuse rwlock_destroyed.c:50
 * expect: finding misuse rwlock_destroyed.c:51
 * expect: finding misuse rwlock_destroyed.c:60
 * expect: finding race rwlock_destroyed.c:50 rwlock_destroyed.c:61
 * expect: ledger race rwlock_destroyed.c:50
 * expect: ledger race rwlock_destroyed.c:61
 * expect: ledger cut short rwlock_destroyed.c:51
 * expect: ledger cut short rwlock_destroyed.c:50
 * expect: ledger cut short rwlock_destroyed.c:60
 *
 * treadle: -k
 * cflags: -DWAITS
 * agree: -k --search=all
 * agree: -k --goal=traces
 * expect: runs 4
 * expect: events 12
 * expect: verdict bug
 * expect: finding misuse rwlock_destroyed.c:50
 * expect: finding misuse rwlock_destroyed.c:51
 * expect: finding misuse rwlock_destroyed.c:60
 * expect: finding race rwlock_destroyed.c:50 rwlock_destroyed.c:61
 * expect: ledger race rwlock_destroyed.c:50
 * expect: ledger race rwlock_destroyed.c:61
 * expect: ledger cut short rwlock_destroyed.c:51
 * expect: ledger cut short rwlock_destroyed.c:50
 * expect: ledger cut short rwlock_destroyed.c:60 */
#include <pthread.h>

#ifdef WAITS
#define WRITE_LOCK pthread_rwlock_wrlock
#else
#define WRITE_LOCK pthread_rwlock_trywrlock
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reads(void *arg)
{
    pthread_rwlock_destroy(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reads, NULL);
    if (WRITE_LOCK(&lock) == 0)
        pthread_rwlock_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
