/* SPDX-License-Identifier: Apache-2.0 */
/* A block freed by one thread and memory got by another: no race between the two lives.
 *
 * treadle: --search=all
 * expect: runs 19
 * expect: verdict complete
 * hand: 0
 * model: main: create A, create B, join A, join B, exit
 * model: A: 2* store x
 * model: B: 2* store y */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int cell[2];

static void *worker(void *arg)
{
    for (int i = 0; i < 2; i++) {
        char *p = malloc(100);
        memset(p, i, 100);
        free(p);
        p = malloc(100);
        p[5] = 1;
        free(p);
        atomic_store((atomic_int *)arg, i);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &cell[0]);
    pthread_create(&b, NULL, worker, &cell[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
