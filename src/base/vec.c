/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static _Noreturn void out_of_memory(size_t size)
{
    fprintf(stderr, "treadle: out of memory (%zu bytes asked for)\n", size);
    _exit(70);
}

#ifdef TD_AUDIT_BUILD
/* Short vectors have no room to spare: each push moves them. */
static size_t grown_from(size_t cap)
{
    return cap < 256 ? cap + 1 : cap + cap / 16;
}

/* Always moves and spoils the old place, so that a pointer kept into it shows at once. */
static void *resize(void *at, size_t old, size_t size)
{
    void *moved = malloc(size);
    if (!moved || !at)
        return moved;
    memcpy(moved, at, old);
    memset(at, 0xa5, old);
    free(at);
    return moved;
}
#else
static size_t grown_from(size_t cap)
{
    return cap < 8 ? 8 : cap + cap / 2;
}

static void *resize(void *at, size_t old, size_t size)
{
    (void)old;
    return realloc(at, size);
}
#endif

void *td_grow(void *at, size_t *cap, size_t need, size_t size)
{
    TD_ASSERT(size > 0 && need > *cap);
    size_t grown = grown_from(*cap);
    if (grown < need)
        grown = need;
    size_t bytes;
    if (__builtin_mul_overflow(grown, size, &bytes))
        out_of_memory(SIZE_MAX);
    void *moved = resize(at, *cap * size, bytes);
    if (!moved)
        out_of_memory(bytes);
    *cap = grown;
    return moved;
}

void *td_alloc(size_t size)
{
    void *p = calloc(1, size ? size : 1);
    if (!p)
        out_of_memory(size);
    return p;
}

void *td_alloc_aligned(size_t size)
{
    void *p = aligned_alloc(64, size);
    if (!p)
        out_of_memory(size);
    memset(p, 0, size);
    return p;
}

void td_free(void *p)
{
    free(p);
}

char *td_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(td_alloc(size), text, size);
}
