/* SPDX-License-Identifier: Apache-2.0 */
/* A reader that comes back has to wait for a writer that waits for it, where the lock prefers writers.
 *
 * treadle:
 * expect: finding deadlock
 * expect: verdict bug
 *
 * treadle: --search=all
 * expect: finding deadlock
 * expect: verdict bug
 *
 * treadle: --search=dpor
 * expect: finding deadlock
 * expect: verdict bug
 *
 * treadle: -k
 * cflags: -DKIND=PTHREAD_RWLOCK_PREFER_WRITER_NP
 * expect: verdict complete */
#define _GNU_SOURCE
#include <pthread.h>

#ifndef KIND
#define KIND PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
#endif

static pthread_rwlock_t l;

static void *read_twice(void *arg)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    return arg;
}

static void *write_once(void *arg)
{
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_rwlockattr_t attr;
    pthread_rwlockattr_init(&attr);
    pthread_rwlockattr_setkind_np(&attr, KIND);
    pthread_rwlock_init(&l, &attr);
    pthread_create(&a, NULL, read_twice, NULL);
    pthread_create(&b, NULL, write_once, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
