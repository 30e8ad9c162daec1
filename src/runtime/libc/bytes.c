/* SPDX-License-Identifier: Apache-2.0 */
/* mem*: bytes whose number is given. */
#include "runtime/libc/libc_int.h"

static const byte *find_forward(const byte *p, byte c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] == c)
            return p + i;
    return NULL;
}

EXPORT void *OURS(memchr)(const void *p, int c, size_t n)
{
    place at = enter();
    const byte *found = memchr(p, c, n);
    if (!is_watched())
        return (void *)found;
    size_t seen = found ? (size_t)(found - (const byte *)p) + 1 : n;
    reads(p, seen, at);
    if (has_labels(p, seen) || has_label((unsigned)c) || has_label(n))
        found = find_forward(p, (byte)c, n);
    return (void *)found;
}

EXPORT void *OURS(rawmemchr)(const void *p, int c)
{
    place at = enter();
    const byte *found = rawmemchr(p, c);
    if (!is_watched())
        return (void *)found;
    size_t seen = (size_t)(found - (const byte *)p) + 1;
    reads(p, seen, at);
    if (has_labels(p, seen) || has_label((unsigned)c))
        found = find_forward(p, (byte)c, SIZE_MAX);
    return (void *)found;
}

static const byte *find_backward(const byte *p, byte c, size_t n)
{
    while (n > 0)
        if (p[--n] == c)
            return p + n;
    return NULL;
}

EXPORT void *OURS(memrchr)(const void *p, int c, size_t n)
{
    place at = enter();
    const byte *found = memrchr(p, c, n), *from = found ? found : p;
    if (!is_watched())
        return (void *)found;
    size_t seen = (size_t)((const byte *)p + n - from);
    reads(from, seen, at);
    if (has_labels(from, seen) || has_label((unsigned)c) || has_label(n))
        found = find_backward(p, (byte)c, n);
    return (void *)found;
}

static int compare(const byte *a, const byte *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

static int compare_at(place at, const void *a, const void *b, size_t n)
{
    if (!is_watched())
        return memcmp(a, b, n);
    size_t seen = rt_scan_bytes(a, b, n);
    reads(a, seen, at);
    reads(b, seen, at);
    if (has_labels(a, seen) || has_labels(b, seen) || has_label(n))
        return compare(a, b, n);
    return seen > 0 ? ((const byte *)a)[seen - 1] - ((const byte *)b)[seen - 1] : 0;
}

EXPORT int OURS(memcmp)(const void *a, const void *b, size_t n)
{
    return compare_at(enter(), a, b, n);
}

EXPORT int OURS(bcmp)(const void *a, const void *b, size_t n)
{
    return compare_at(enter(), a, b, n);
}

static const byte *find_bytes(const byte *p, size_t n, const byte *what, size_t length)
{
    for (size_t i = 0; length <= n && i <= n - length; i++)
        if (compare(p + i, what, length) == 0)
            return p + i;
    return NULL;
}

EXPORT void *OURS(memmem)(const void *p, size_t n, const void *what, size_t length)
{
    place at = enter();
    const byte *found = memmem(p, n, what, length);
    if (!is_watched())
        return (void *)found;
    size_t seen = found ? (size_t)(found - (const byte *)p) + length : n;
    reads(p, seen, at);
    reads(what, length, at);
    if (has_labels(p, seen) || has_labels(what, length) || has_label(n) ||
        has_label(length))
        found = find_bytes(p, n, what, length);
    return (void *)found;
}

EXPORT void *OURS(mempcpy)(void *to, const void *from, size_t n)
{
    place at = enter();
    if (is_watched()) {
        reads(from, n, at);
        writes(to, n, at);
    }
    memcpy(to, from, n);
    return (byte *)to + n;
}

EXPORT void *OURS(memccpy)(void *to, const void *from, int c, size_t n)
{
    place at = enter();
    if (!is_watched())
        return memccpy(to, from, c, n);
    const byte *found = memchr(from, c, n);
    size_t size = found ? (size_t)(found - (const byte *)from) + 1 : n;
    reads(from, size, at);
    writes(to, size, at);
    if (has_labels(from, size) || has_label((unsigned)c) || has_label(n))
        found = find_forward(from, (byte)c, n);
    memcpy(to, from, size);
    return found ? (byte *)to + size : NULL;
}
