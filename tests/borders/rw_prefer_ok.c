/* SPDX-License-Identifier: Apache-2.0 */
/* Where the lock prefers writers: readers, writers, and those who only try.
 *
 * treadle: -k
 * expect: verdict complete
 *
 * treadle: -k --search=all
 * expect: verdict complete */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int x, y;

static void *read_both(void *arg)
{
    int error = pthread_rwlock_tryrdlock(&l);
    assert(error == 0 || error == EBUSY);
    if (error)
        pthread_rwlock_rdlock(&l);
    assert(x == y);
    pthread_rwlock_unlock(&l);
    return arg;
}

static void *write_both(void *arg)
{
    pthread_rwlock_wrlock(&l);
    x++;
    y++;
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, read_both, NULL);
    pthread_create(&b, NULL, write_both, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(pthread_rwlock_trywrlock(&l) == 0);
    return 0;
}
