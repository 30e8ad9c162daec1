/* SPDX-License-Identifier: Apache-2.0 */
/* As mem_free_twice.c, but who takes the pointer leaves none behind.
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
static long *shared;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    long *mine = shared;
    shared = NULL;
    pthread_mutex_unlock(&m);
    free(mine);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    shared = malloc(sizeof *shared);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
