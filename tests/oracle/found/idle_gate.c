/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <pthread.h>
static pthread_rwlock_t l2 = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static void *t2(void *arg)
{
    pthread_rwlock_rdlock(&l2);
    pthread_rwlock_wrlock(&l2);
    pthread_rwlock_unlock(&l2);
    return arg;
}
static void *t1(void *arg)
{
    pthread_rwlock_wrlock(&l2);
    pthread_rwlock_unlock(&l2);
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, t2, NULL);
    pthread_create(&b, NULL, t1, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

/* Two deadlocks: the writer in t2 waits for itself as a reader, with the gate closed or before
 * it. That in t1, which waits for the reader with the gate closed, was not searched once t1 was
 * seen to wait at the gate, in the same line. */
