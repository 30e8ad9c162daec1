/* SPDX-License-Identifier: Apache-2.0 */
/* qsort and bsearch: the results of the program's comparison are decided here. */
#include "runtime/libc/libc_int.h"

#include <stdlib.h>

typedef int comparison(const void *a, const void *b);

typedef struct sorting {
    place at;
    size_t size;
    comparison *compare;
} sorting;

/* As the C library does: what is equal keeps its order. */
static void merge(const sorting *s, byte *base, byte *room, size_t left, size_t n)
{
    size_t size = s->size, i = 0, k = left, out = 0;
    while (i < left && k < n) {
        bool second = s->compare(base + i * size, base + k * size) > 0;
        enter_again(s->at);
        memcpy(room + out++ * size, base + (second ? k++ : i++) * size, size);
    }
    memcpy(room + out * size, base + i * size, (left - i) * size);
    memcpy(base, room, (out + left - i) * size);
}

static void sort(const sorting *s, byte *base, byte *room, size_t n)
{
    if (n < 2)
        return;
    size_t left = n / 2;
    sort(s, base, room, left);
    sort(s, base + left * s->size, room, n - left);
    merge(s, base, room, left, n);
}

EXPORT void OURS(qsort)(void *base, size_t n, size_t size, comparison *compare)
{
    place at = enter();
    if (is_watched()) {
        settle(n);
        settle(size);
        reads(base, n * size, at);
        writes(base, n * size, at);
    }
    calls_back((const void *)compare);
    byte *room = is_watched() && is_live() ? malloc(n * size) : NULL;
    if (room == NULL) {
        qsort(base, n, size, compare);
        return;
    }
    const sorting s = {at, size, compare};
    sort(&s, base, room, n);
    free(room);
}

EXPORT void *OURS(bsearch)(const void *key, const void *base, size_t n, size_t size,
                           comparison *compare)
{
    place at = enter();
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const byte *element = (const byte *)base + middle * size;
        int order = compare(key, element);
        enter_again(at);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
