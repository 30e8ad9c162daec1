/* SPDX-License-Identifier: Apache-2.0 */
/* A release sequence: a relaxed read-modify-write in between does not break it.
 *
 * treadle: --search=all
 * expect: runs 11
 * expect: verdict complete
 * hand: 0
 * model: main: create A, create B, load f v, join A, join B, exit
 * model: A: store f 1
 * model: B: rmw f f+1 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *writer(void *arg)
{
    data = 42;
    atomic_store_explicit(&flag, 10, memory_order_release);
    return arg;
}

static void *counter(void *arg)
{
    atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, counter, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) >= 10)
        assert(data == 42);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
