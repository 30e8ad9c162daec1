/* SPDX-License-Identifier: Apache-2.0 */
/* A message whose flag is stored without release. */
#include <pthread.h>
#include <stdatomic.h>

static int message, seen;
static atomic_int ready;

static void *writer(void *arg)
{
    message = 7;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return arg;
}

static void *reader(void *arg)
{
    if (atomic_load_explicit(&ready, memory_order_acquire))
        seen = message;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return seen == 8;
}
