/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing is left locked: two readers meet at a barrier while both read. A writer may come before them. */
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both;
static int n_read;
static void *r(void *p)
{
    pthread_rwlock_rdlock(&l);
    pthread_barrier_wait(&both);
    pthread_rwlock_unlock(&l);
    return p;
}
static void *r2(void *p)
{
    pthread_rwlock_rdlock(&l);
    pthread_barrier_wait(&both);
    __atomic_store_n(&n_read, 1, __ATOMIC_SEQ_CST);
    pthread_rwlock_unlock(&l);
    return p;
}
static void *w(void *p)
{
    pthread_rwlock_wrlock(&l);
    assert(__atomic_load_n(&n_read, __ATOMIC_SEQ_CST) ==
           1); /* fails if the writer is first */
    pthread_rwlock_unlock(&l);
    return p;
}
int main(void)
{
    pthread_t a, b, c;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&a, 0, r, 0);
    pthread_create(&b, 0, r2, 0);
    pthread_create(&c, 0, w, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
