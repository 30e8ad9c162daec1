/* SPDX-License-Identifier: Apache-2.0 */
/* A writer that finds a reader comes before the reader's unlock, though the reader has more to do
 * afterwards: the unlock may not be put as early as can be.
 *
 * treadle: --goal=branches -k
 * expect: sides 6/6
 * expect: verdict bug
 * expect: finding assert branch_trywrlock.c:34 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_rwlock_t o = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int seen, told;

static void *owner(void *arg)
{
    pthread_rwlock_rdlock(&o);
    pthread_rwlock_unlock(&o);
    if (atomic_load(&seen) == 1)
        atomic_store(&told, 1);
    return arg;
}

static void *other(void *arg)
{
    if (pthread_rwlock_trywrlock(&o) == 0) {
        pthread_rwlock_unlock(&o);
        return arg;
    }
    atomic_store(&seen, 1);
    if (atomic_load(&told) == 1)
        assert(!"the owner came later");
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
