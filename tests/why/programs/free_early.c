/* SPDX-License-Identifier: Apache-2.0 */
/* The owner frees a block that a worker still reads; nothing orders the two. */
#include <pthread.h>
#include <stdlib.h>

static int *block, seen;

static void *worker(void *arg)
{
    seen = *(int *)arg;
    return NULL;
}

int main(void)
{
    pthread_t t;
    block = malloc(sizeof *block);
    *block = 5;
    pthread_create(&t, NULL, worker, block);
    free(block);
    pthread_join(t, NULL);
    return seen == 6;
}
