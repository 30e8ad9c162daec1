/* SPDX-License-Identifier: Apache-2.0 */
/* Relaxed accesses with fences publish: no race.
 *
 * treadle: --search=all
 * expect: runs 2
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 * model: main: create A, load f, join A, exit
 * model: A: store f 1 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *writer(void *arg)
{
    data = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(data == 42);
    }
    pthread_join(t, NULL);
    return 0;
}
