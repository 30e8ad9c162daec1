/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/libc/libc_int.h - our versions of functions of the C library.
 *
 * Purpose     Track symbolic values through them, and record their accesses with the site of the
 *             call. treadle cc compiles them when treadle is built.
 * Words       place: the site of the call in the program.
 * Invariants  (L1) if no byte that decides is symbolic, the C library does the work; (L2) both ways
 *             are equal for the program: results have the same sign, memory the same bytes; (L3) a
 *             write is recorded before it is executed; (L4) no switch statements: decisions of one
 *             place are distinguished by their order.
 *
 * Each function takes its place, records its accesses, and then works byte by byte if one of them has
 * a label. Branches on such a byte are decisions, so there are as few as can be.
 *
 * With LIBC_PLAIN the folder compiles by itself for the test against the C library: every
 * byte counts as symbolic and names start with ours_.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wire/hooks.h"
#include "wire/layout.h"

#define EXPORT __attribute__((visibility("default"), weak))

typedef const wire_site *place;
typedef unsigned char byte;

#ifdef LIBC_PLAIN

#define OURS(name) ours_##name

static inline place enter(void)
{
    return NULL;
}

static inline void enter_again(place at)
{
    (void)at;
}

static inline void changes(void)
{
}

static inline void calls_back(const void *function)
{
    (void)function;
}

static inline bool is_watched(void)
{
    return true;
}

static inline void reads(const void *p, size_t n, place at)
{
    (void)p, (void)n, (void)at;
}

static inline void writes(const void *p, size_t n, place at)
{
    (void)p, (void)n, (void)at;
}

static inline void *allocate(size_t n, place at)
{
    (void)at;
    return malloc(n);
}

static inline bool is_live(void)
{
    return true;
}

static inline bool has_labels(const void *p, size_t n)
{
    (void)p, (void)n;
    return true;
}

static inline bool has_label(uint64_t value)
{
    (void)value;
    return true;
}

static inline void settle(uint64_t value)
{
    (void)value;
}

#else

#define OURS(name) __treadle_##name

/* Marks the module (wire/api.h). */
__attribute__((used)) static const int __treadle_libc = 1;

/* In runtime/symbolic/follow.c. */
bool rt_libc_live(void);
bool rt_libc_labels(const void *p, size_t n);
bool rt_libc_label(uint64_t value);
void rt_libc_decide(uint64_t value);

/* Takes the site that the caller left. */
static inline place enter(void)
{
    place at = (place)PLAN_CTL->call_site;
    PLAN_CTL->call_site = 0;
    PLAN_CTL->inner_site = (uint64_t)at;
    return at;
}

/* Call when something is changed that no access records. */
static inline void changes(void)
{
    PLAN_CTL->changed = 1;
}

/* After a function of the program was called. */
static inline void enter_again(place at)
{
    PLAN_CTL->inner_site = (uint64_t)at;
}

/* The C library is given a function of the program; calls of one are hooked by treadle cc. */
static inline void calls_back(const void *function)
{
    __treadle_called_back(function);
}

/* Under control: accesses matter, and values may be symbolic. */
static inline bool is_watched(void)
{
    return PLAN_CTL->epoch != 0;
}

static inline void reads(const void *p, size_t n, place at)
{
    if (n > 0)
        __treadle_read_range(p, n, at);
}

static inline void writes(const void *p, size_t n, place at)
{
    if (n > 0)
        __treadle_write_range(p, n, at);
}

void *__treadle_malloc(size_t n);

/* For the program, which called at that place. */
static inline void *allocate(size_t n, place at)
{
    PLAN_CTL->call_site = (uint64_t)at;
    return __treadle_malloc(n);
}

/* Some byte of the program has a label. */
static inline bool is_live(void)
{
    return PLAN_CTL->symbolic != 0 && rt_libc_live();
}

static inline bool has_labels(const void *p, size_t n)
{
    return PLAN_CTL->symbolic != 0 && rt_libc_labels(p, n);
}

static inline bool has_label(uint64_t value)
{
    return PLAN_CTL->symbolic != 0 && rt_libc_label(value);
}

/* Decides a symbolic value that the C library is given. */
static inline void settle(uint64_t value)
{
    if (PLAN_CTL->symbolic != 0)
        rt_libc_decide(value);
}

#endif

/* In runtime/symbolic/scan.c: they look at bytes as they are, and decide nothing.
 *
 * Bytes of a and b that strncmp and memcmp look at, at most n, the one that differs or ends
 * the text included; fold: letters of either case are the same. */
size_t rt_scan_texts(const char *a, const char *b, size_t n, bool fold);
size_t rt_scan_bytes(const void *a, const void *b, size_t n);

/* ---- pieces that several files use ---- */

/* Length of the text, at most n. */
static inline size_t length_within(const char *s, size_t n)
{
    size_t length = strnlen(s, n), i = 0;
    if (!has_labels(s, length < n ? length + 1 : n) && !has_label(n))
        return length;
    while (i < n && s[i] != 0)
        i++;
    return i;
}

static inline size_t length_of(const char *s)
{
    size_t length = strlen(s), i = 0;
    if (!has_labels(s, length + 1))
        return length;
    while (s[i] != 0)
        i++;
    return i;
}

/* Without a branch, so that nothing is decided. */
static inline unsigned is_between(unsigned c, unsigned first, unsigned last)
{
    return c - first <= last - first;
}

static inline unsigned lower(unsigned c)
{
    return c + (is_between(c, 'A', 'Z') << 5);
}
