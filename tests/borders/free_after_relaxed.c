/* SPDX-License-Identifier: Apache-2.0 */
/* A block is freed after a relaxed hand-over: its atomic access is not ordered before.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *v, done;
static void *f(void *p)
{
    atomic_store_explicit(v, 1, memory_order_relaxed);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return p;
}

int main(void)
{
    pthread_t t;
    v = calloc(1, sizeof *v);
    pthread_create(&t, 0, f, 0);
    while (!atomic_load_explicit(&done, memory_order_relaxed))
        continue;
    free(v);
    pthread_join(t, 0);
    return 0;
}
