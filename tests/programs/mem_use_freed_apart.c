/* SPDX-License-Identifier: Apache-2.0 */
/* An atomic access and a free that no operation orders either way: no schedule of operations
 * alone tells the two apart, so that the search has to look for it.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding memory mem_use_freed_apart.c:22
 * expect: says in a block of 4 bytes freed at mem_use_freed_apart.c:32 by main
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding memory mem_use_freed_apart.c:22 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int a, b;

static void *worker(void *arg)
{
    atomic_int *value = arg;
    atomic_store(&a, 1);
    atomic_store(value, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    atomic_int *value = malloc(sizeof *value);
    pthread_create(&t, NULL, worker, value);
    atomic_store(&b, 1);
    free(value);
    pthread_join(t, NULL);
    return 0;
}
