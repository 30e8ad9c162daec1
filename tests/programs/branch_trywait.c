/* SPDX-License-Identifier: Apache-2.0 */
/* A trywait that fails comes before the post, though the owner has more to do afterwards: the post may
 * not be put as early as can be.
 *
 * treadle: --goal=branches -k
 * expect: sides 6/6
 * expect: verdict bug
 * expect: finding assert branch_trywait.c:35 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t o;
static atomic_int seen, told;

static void *owner(void *arg)
{
    sem_wait(&o);
    sem_post(&o);
    if (atomic_load(&seen) == 1)
        atomic_store(&told, 1);
    return arg;
}

static void *other(void *arg)
{
    if (sem_trywait(&o) == 0) {
        sem_post(&o);
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
    sem_init(&o, 0, 1);
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
