/* SPDX-License-Identifier: Apache-2.0 */
/* A use after free, and a block that is too short, each after what the other needs.
 *
 * treadle: -k
 * agree: -k --search=all
 * expect: runs 2
 * expect: events 6
 * expect: verdict bug
 * expect: finding memory mask_memory.c:24
 * expect: finding memory mask_memory.c:31
 * expect: ledger cut short mask_memory.c:24
 * expect: ledger cut short mask_memory.c:31 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *first(void *arg)
{
    char *p = malloc(8);
    free(p);
    atomic_store(&x, 1);
    p[3] = 1;
    return arg;
}

static void *second(void *arg)
{
    char *p = malloc(8);
    p[7 + atomic_load(&x)] = 1;
    free(p);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
