/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing orders the write and the free, but no run of ours has the write after it: the report keeps the order
 * that was seen.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race mem_free_race_relaxed.c:17 mem_free_race_relaxed.c:29
 * expect: says use after free: the free and an access to the block are unordered: '*arg' */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready;

static void *writer(void *arg)
{
    *(int *)arg = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int *value = calloc(1, sizeof *value);
    pthread_create(&t, NULL, writer, value);
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        ;
    free(value);
    pthread_join(t, NULL);
    return 0;
}
