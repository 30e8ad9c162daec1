/* SPDX-License-Identifier: Apache-2.0 */
/* As mem_mutex_freed.c, but main waits.
 *
 * treadle:
 * expect: runs 2
 * expect: events 12
 * expect: verdict complete
 * treadle: --search=all --leaks
 * expect: runs 2
 * expect: events 18
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stdlib.h>

struct box {
    pthread_mutex_t m;
    int value;
};

static void *worker(void *arg)
{
    struct box *b = arg;
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
    pthread_join(t, NULL);
    pthread_mutex_destroy(&b->m);
    free(b);
    return 0;
}
