/* SPDX-License-Identifier: Apache-2.0 */
/* A trylock that fails comes before the unlock, though the owner has more to do afterwards: the unlock
 * may not be put as early as can be.
 *
 * treadle: --goal=branches -k
 * expect: sides 6/6
 * expect: verdict bug
 * expect: finding assert branch_trylock.c:34 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t o = PTHREAD_MUTEX_INITIALIZER;
static atomic_int seen, told;

static void *owner(void *arg)
{
    pthread_mutex_lock(&o);
    pthread_mutex_unlock(&o);
    if (atomic_load(&seen) == 1)
        atomic_store(&told, 1);
    return arg;
}

static void *other(void *arg)
{
    if (pthread_mutex_trylock(&o) == 0) {
        pthread_mutex_unlock(&o);
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
