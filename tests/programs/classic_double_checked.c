/* SPDX-License-Identifier: Apache-2.0 */
/* Double-checked locking where the pointer is no atomic: the first look races with the
 * store under the lock. FIXED: an atomic pointer, release and acquire.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race classic_double_checked.c:37 classic_double_checked.c:42
 *
 * treadle:
 * cflags: -DFIXED
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#ifdef FIXED
static _Atomic(int *) instance;

static int *look(void)
{
    return atomic_load_explicit(&instance, memory_order_acquire);
}

static void publish(int *made)
{
    atomic_store_explicit(&instance, made, memory_order_release);
}
#else
static int *instance;

static int *look(void)
{
    return instance;
}

static void publish(int *made)
{
    instance = made;
}
#endif

static int *get(void)
{
    if (!look()) {
        pthread_mutex_lock(&lock);
        if (!look()) {
            int *made = malloc(sizeof *made);
            *made = 42;
            publish(made);
        }
        pthread_mutex_unlock(&lock);
    }
    return look();
}

static void *worker(void *arg)
{
    int value = *get();
    assert(value == 42);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    free(look());
    return 0;
}
