/* SPDX-License-Identifier: Apache-2.0 */
/* Storage of growing arrays. In audit builds it always moves. */
#include "base/vec.h"

#include <stdlib.h>

#include "base/assert.h"
#include "base/memory.h"

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

/* Not inlined: gcc takes a second try, after one that failed, for a use after free. */
static __attribute__((noinline)) void *resize(void *at, size_t old, size_t size)
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
    size_t bytes, least;
    if (__builtin_mul_overflow(grown, size, &bytes) ||
        __builtin_mul_overflow(need, size, &least))
        td_memory_out(SIZE_MAX);
    void *moved = resize(at, *cap * size, bytes);
    while (!moved) {
        bool has_more = td_memory_spare();
        grown = need;
        moved = resize(at, *cap * size, least);
        if (!moved && !has_more)
            td_memory_out(least);
    }
    *cap = grown;
    return moved;
}

void *td_alloc(size_t size)
{
    void *p;
    while (!(p = calloc(1, size ? size : 1)))
        if (!td_memory_spare())
            td_memory_out(size);
    return p;
}

void *td_alloc_aligned(size_t size)
{
    TD_ASSERT(size % 64 == 0);
    void *p;
    while (!(p = aligned_alloc(64, size)))
        if (!td_memory_spare())
            td_memory_out(size);
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
