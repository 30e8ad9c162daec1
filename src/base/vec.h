/* SPDX-License-Identifier: Apache-2.0 */
/* base/vec.h - growing arrays, generated per type.
 *
 *     TD_VEC(uint32_t, u32_vec);
 *     u32_vec v = {0};
 *     u32_vec_push(&v, 7);
 *     u32_vec_fini(&v);
 *
 * All-zero is an empty vector. Elements move when it grows: keep indices, not pointers.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"

/* Storage for at least need elements of size bytes; *cap is updated. Never NULL: out of
 * memory ends treadle. */
void *td_grow(void *at, size_t *cap, size_t need, size_t size);
void *td_alloc(size_t size); /* zeroed; never NULL */
/* The same on a boundary of 64 bytes; size is a multiple of it. */
void *td_alloc_aligned(size_t size);
void td_free(void *p); /* NULL is fine */
char *td_strdup(const char *text);

/* A user of a vector need not call all of its functions. */
#define TD_UNUSED __attribute__((unused))

#define TD_VEC(T, name)                                                                  \
    typedef struct name {                                                                \
        T *at;                                                                           \
        size_t len, cap;                                                                 \
    } name;                                                                              \
    TD_UNUSED static inline void name##_reserve(name *v, size_t cap)                     \
    {                                                                                    \
        if (cap > v->cap)                                                                \
            v->at = (T *)td_grow(v->at, &v->cap, cap, sizeof(T));                        \
    }                                                                                    \
    TD_UNUSED static inline void name##_push(name *v, T item)                            \
    {                                                                                    \
        if (v->len == v->cap)                                                            \
            name##_reserve(v, v->len + 1);                                               \
        v->at[v->len++] = item;                                                          \
    }                                                                                    \
    TD_UNUSED static inline void name##_append(name *v, T const *items, size_t n)        \
    {                                                                                    \
        if (n == 0)                                                                      \
            return;                                                                      \
        name##_reserve(v, v->len + n);                                                   \
        memcpy(v->at + v->len, items, n * sizeof(T));                                    \
        v->len += n;                                                                     \
    }                                                                                    \
    TD_UNUSED static inline T name##_pop(name *v)                                        \
    {                                                                                    \
        TD_ASSERT(v->len > 0);                                                           \
        return v->at[--v->len];                                                          \
    }                                                                                    \
    TD_UNUSED static inline void name##_clear(name *v)                                   \
    {                                                                                    \
        v->len = 0;                                                                      \
    }                                                                                    \
    TD_UNUSED static inline void name##_fini(name *v)                                    \
    {                                                                                    \
        td_free(v->at);                                                                  \
        *v = (name){0};                                                                  \
    }                                                                                    \
    typedef name name##_defined
