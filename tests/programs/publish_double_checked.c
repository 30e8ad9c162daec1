/* SPDX-License-Identifier: Apache-2.0 */
/* Double-checked locking with an atomic pointer.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 4
 * expect: events 23
 * treadle: --search=all
 * expect: verdict complete
 * expect: runs 12
 * expect: events 35
 * expect: traces 4
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int object;
static int *_Atomic instance;
static volatile int sink;

static int *get(void)
{
    int *p = atomic_load_explicit(&instance, memory_order_acquire);
    if (p == NULL) {
        pthread_mutex_lock(&m);
        p = atomic_load_explicit(&instance, memory_order_relaxed);
        if (p == NULL) {
            object = 42;
            p = &object;
            atomic_store_explicit(&instance, p, memory_order_release);
        }
        pthread_mutex_unlock(&m);
    }
    return p;
}

static void *worker(void *arg)
{
    sink = *get();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int v = *get();
    pthread_join(t, NULL);
    return v != 42;
}
