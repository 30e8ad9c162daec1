/* SPDX-License-Identifier: Apache-2.0 */
/* Room is looked for in one critical section and used in another: in some schedules both
 * threads take the last place.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding memory mem_overflow.c:28
 * expect: says write of 4 bytes (items[]), 0 bytes after the end of the 4 bytes allocated at mem_overflow.c:36 by main
 * treadle: --search=all -k
 * expect: verdict bug
 * expect: finding memory mem_overflow.c:28
 * expect: ledger cut short mem_overflow.c:28 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *items;
static size_t n, room = 1;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    int fits = n < room;
    pthread_mutex_unlock(&m);
    if (!fits)
        return arg;
    pthread_mutex_lock(&m);
    items[n++] = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    items = malloc(room * sizeof *items);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(items);
    return 0;
}
