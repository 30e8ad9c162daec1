/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex in a block: its last user frees it, though another thread may still come.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding memory mem_mutex_freed.c:23
 * expect: says pthread_mutex_lock (b->m) in a block of 48 bytes freed at mem_mutex_freed.c:39 by main, allocated at mem_mutex_freed.c:32 by main
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding memory mem_mutex_freed.c:23 */
#include <pthread.h>
#include <stdlib.h>

struct box {
    pthread_mutex_t m;
    int value;
};

static void *worker(void *arg)
{
    struct box *b = arg;
    /* Whether main waits is left to luck. */
    pthread_mutex_lock(&b->m);
    b->value++;
    pthread_mutex_unlock(&b->m);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct box *b = calloc(1, sizeof *b);
    pthread_mutex_init(&b->m, NULL);
    pthread_create(&t, NULL, worker, b);
    pthread_mutex_lock(&b->m);
    b->value++;
    pthread_mutex_unlock(&b->m);
    pthread_detach(t);
    free(b);
    return 0;
}
