/* SPDX-License-Identifier: Apache-2.0 */
/* fix: memory-order
 * edit
 * idea: release at the store, acquire at the load */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *writer(void *arg)
{
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

static void *reader(void *arg)
{
    if (atomic_load_explicit(&flag, memory_order_relaxed))
        *(int *)arg = data;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    int seen = 42;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, &seen);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return seen != 42;
}
