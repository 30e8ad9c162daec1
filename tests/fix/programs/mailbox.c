/* SPDX-License-Identifier: Apache-2.0 */
/* fix: memory-order
 * edit
 * held out
 * idea: release the flag, acquire it */
#include <pthread.h>
#include <stdatomic.h>

static int letter;
static atomic_int is_full;

static void *post(void *arg)
{
    letter = 42;
    atomic_store_explicit(&is_full, 1, memory_order_relaxed);
    return arg;
}

static void *fetch(void *arg)
{
    int got = 0;
    if (atomic_load_explicit(&is_full, memory_order_acquire))
        got = letter;
    return got == 42 ? arg : NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, post, NULL);
    pthread_create(&b, NULL, fetch, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
