/* SPDX-License-Identifier: Apache-2.0 */
/* Two readers meet at a barrier while both hold the lock, so that they keep a writer out together: neither alone
 * would. It may come before both.
 *
 * treadle: -k
 * expect: verdict bug
 * expect: finding assert rwlock_readers_meet.c:40
 *
 * treadle: -k --search=dpor
 * expect: verdict bug
 * expect: finding assert rwlock_readers_meet.c:40 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both;
static atomic_int n_read;

static void *reader(void *p)
{
    pthread_rwlock_rdlock(&lock);
    pthread_barrier_wait(&both);
    pthread_rwlock_unlock(&lock);
    return p;
}

static void *counter(void *p)
{
    pthread_rwlock_rdlock(&lock);
    pthread_barrier_wait(&both);
    atomic_store(&n_read, 1);
    pthread_rwlock_unlock(&lock);
    return p;
}

static void *writer(void *p)
{
    pthread_rwlock_wrlock(&lock);
    assert(atomic_load(&n_read) == 1);
    pthread_rwlock_unlock(&lock);
    return p;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, counter, 0);
    pthread_create(&c, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
