/* SPDX-License-Identifier: Apache-2.0 */
/* How far a comparison of runtime/libc gets. Needs nothing of the runtime. */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PAGE UINT64_C(4096)
#define WORD 8u

/* Eight bytes can be read without touching another page. */
static bool is_inside(const char *p)
{
    return ((uint64_t)p & (PAGE - 1)) <= PAGE - WORD;
}

static uint64_t word_at(const char *p)
{
    uint64_t word;
    memcpy(&word, p, WORD);
    return word;
}

#define ONES UINT64_C(0x0101010101010101)
#define LOW (ONES * 0x7f)

/* The highest bit of every byte that is not 0. */
static uint64_t not_zero(uint64_t word)
{
    return (((word & LOW) + LOW) | word) & ~LOW;
}

/* Which of eight bytes ends the comparison, 8 if none does. */
static unsigned ends_in(uint64_t a, uint64_t b)
{
    uint64_t ends = not_zero(a ^ b) | (not_zero(a) ^ ~LOW);
    return ends ? (unsigned)__builtin_ctzll(ends) / 8 : WORD;
}

static size_t scan_folded(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] == 0 || tolower((unsigned char)a[i]) != tolower((unsigned char)b[i]))
            return i + 1;
    return n;
}

size_t rt_scan_texts(const char *a, const char *b, size_t n, bool fold);
size_t rt_scan_texts(const char *a, const char *b, size_t n, bool fold)
{
    size_t i = 0;
    if (fold)
        return scan_folded(a, b, n);
    while (i < n) {
        if (n - i >= WORD && is_inside(a + i) && is_inside(b + i)) {
            unsigned at = ends_in(word_at(a + i), word_at(b + i));
            if (at < WORD)
                return i + at + 1;
            i += WORD;
            continue;
        }
        if (a[i] == 0 || a[i] != b[i])
            return i + 1;
        i++;
    }
    return n;
}

size_t rt_scan_bytes(const void *a, const void *b, size_t n);
size_t rt_scan_bytes(const void *a, const void *b, size_t n)
{
    const char *x = a, *y = b;
    size_t i = 0;
    if (memcmp(a, b, n) == 0)
        return n;
    while (n - i >= WORD && word_at(x + i) == word_at(y + i))
        i += WORD;
    while (i < n && x[i] == y[i])
        i++;
    return i < n ? i + 1 : n;
}
