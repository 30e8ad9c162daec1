/* SPDX-License-Identifier: Apache-2.0 */
/* Double-checked locking with an atomic pointer.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(int *) instance;
static int n_made;

static int *get(void)
{
    int *v = atomic_load_explicit(&instance, memory_order_acquire);
    if (v)
        return v;
    pthread_mutex_lock(&lock);
    v = atomic_load_explicit(&instance, memory_order_relaxed);
    if (!v) {
        v = malloc(sizeof *v);
        *v = 42;
        n_made++;
        atomic_store_explicit(&instance, v, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return v;
}

static void *worker(void *arg)
{
    assert(*get() == 42);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    assert(n_made == 1);
    free(atomic_load(&instance));
    return 0;
}
