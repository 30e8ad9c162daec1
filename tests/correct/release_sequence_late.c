/* SPDX-License-Identifier: Apache-2.0 */
/* The thread with number 65 publishes, one with number 66 goes on with its release sequence.
 *
 * treadle:
 * expect: verdict complete */
#include <stdatomic.h>

#include "threads.h"

static int data;
static atomic_int flag;

static void *nothing(void *arg)
{
    return arg;
}

static void *publishes(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return arg;
}

static void *goes_on(void *arg)
{
    atomic_fetch_add_explicit(&flag, 2, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t, u;
    for (int i = 0; i < 64; i++) {
        pthread_create(&t, NULL, nothing, NULL);
        pthread_join(t, NULL);
    }
    pthread_create(&t, NULL, publishes, NULL);
    pthread_create(&u, NULL, goes_on, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) & 1)
        assert(data == 1);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
