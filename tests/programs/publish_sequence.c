/* SPDX-License-Identifier: Apache-2.0 */
/* A relaxed exchange of another thread goes on with the release sequence.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 5
 * expect: events 16
 * treadle: --search=all
 * expect: verdict complete
 * expect: runs 18
 * expect: events 39
 * expect: traces 5
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;
static volatile int sink;

static void *first(void *arg)
{
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return arg;
}

static void *second(void *arg)
{
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
        atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        sink = data;
    pthread_join(a, NULL);
    pthread_join(b, NULL);

    return 0;
}
