/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads free what they both saw in use.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding memory mem_free_twice.c:25
 * expect: says free of a block of 8 bytes that was freed at mem_free_twice.c:25 by T
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding memory mem_free_twice.c:25 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long *shared;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    long *mine = shared;
    pthread_mutex_unlock(&m);
    if (!mine)
        return arg;
    pthread_mutex_lock(&m);
    free(mine);
    shared = NULL;
    pthread_mutex_unlock(&m);
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
