/* SPDX-License-Identifier: Apache-2.0 */
/* The load acquires what another thread released, the exchange that fails does not: with what that one
 * found there is a data race, so its round cannot be left out.
 *
 * treadle:
 * expect: finding race try_acquire.c:21 try_acquire.c:28
 * expect: verdict bug */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int top;
static int data;

static void *tries(void *arg)
{
    int old = atomic_load_explicit(&top, memory_order_acquire);
    while (!atomic_compare_exchange_strong_explicit(
        &top, &old, old + 1, memory_order_release, memory_order_relaxed))
        ;
    return old == 1 ? (void *)(size_t)data : NULL; /* races */
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, tries, NULL);
    data = 1; /* races with the read */
    atomic_store_explicit(&top, 1, memory_order_release);
    pthread_join(t, NULL);
    return 0;
}
