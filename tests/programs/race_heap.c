/* SPDX-License-Identifier: Apache-2.0 */
/* A block on the heap.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_heap.c:12 race_heap.c:22 */
#include <pthread.h>
#include <stdlib.h>

static void *writer(void *arg)
{
    ((int *)arg)[3] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int *block = malloc(10 * sizeof *block);
    pthread_create(&t, NULL, writer, block);
    for (int i = 0; i < 10; i++)
        block[i] = i;
    pthread_join(t, NULL);
    free(block);
    return 0;
}
