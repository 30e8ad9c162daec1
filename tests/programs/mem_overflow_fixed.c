/* SPDX-License-Identifier: Apache-2.0 */
/* As mem_overflow.c, but in one critical section.
 *
 * treadle:
 * expect: runs 2
 * expect: events 10
 * expect: verdict complete
 * treadle: --search=all --leaks
 * expect: runs 10
 * expect: events 20
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *items;
static size_t n, room = 1;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    if (n < room)
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
