/* SPDX-License-Identifier: Apache-2.0
 * libuv's own barrier, for systems without one: two threads, two rounds. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "uv.h"

/* What unix/thread.c uses of the rest of libuv. */
void *uv__malloc(size_t size)
{
    return malloc(size);
}

void uv__free(void *block)
{
    free(block);
}

uint64_t uv__hrtime(int type)
{
    (void)type;
    return 0;
}

static uv_barrier_t barrier;

static void *rounds(void *arg)
{
    (void)arg;
    uv_barrier_wait(&barrier);
    uv_barrier_wait(&barrier);
    return NULL;
}

int main(void)
{
    pthread_t other;
    assert(uv_barrier_init(&barrier, 2) == 0);
    if (pthread_create(&other, NULL, rounds, NULL) != 0)
        return 1;
    rounds(NULL);
    pthread_join(other, NULL);
    uv_barrier_destroy(&barrier);
    return 0;
}
