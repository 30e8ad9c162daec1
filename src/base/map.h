/* SPDX-License-Identifier: Apache-2.0 */
/* base/map.h - hash maps, generated per type.
 *
 *     TD_MAP(uint64_t, uint32_t, number_map, td_hash_number, td_same_number);
 *     number_map m = {0};
 *     *number_map_at(&m, 7) = 3;
 *     const uint32_t *value = number_map_find(&m, 7);
 *     number_map_fini(&m);
 *
 * Invariants  (M1) cap is 0 or a power of two, and at most half of the slots are used;
 *             (M2) no free slot lies between the home slot of a key's hash and its slot.
 * Order       Slots may be walked from 0 to cap; in which order keys are found depends on their
 *             hashes and on nothing else, so that pointers must not decide what is printed.
 * Cost        Expected O(1). Slots move when the map grows: keep no pointers into it.
 *
 * All-zero is an empty map.
 */
#pragma once

#include "base/vec.h"

static inline uint64_t td_hash_number(uint64_t key)
{
    return key * UINT64_C(0x9e3779b97f4a7c15) >> 20;
}

static inline bool td_same_number(uint64_t a, uint64_t b)
{
    return a == b;
}

static inline uint64_t td_hash_pointer(const void *key)
{
    return td_hash_number((uint64_t)(uintptr_t)key);
}

static inline bool td_same_pointer(const void *a, const void *b)
{
    return a == b;
}

/* hash: uint64_t of a K; same: bool of two. */
#define TD_MAP(K, V, name, hash, same)                                                   \
    typedef struct name##_slot {                                                         \
        K key;                                                                           \
        V value;                                                                         \
        bool is_used;                                                                    \
    } name##_slot;                                                                       \
    typedef struct name {                                                                \
        name##_slot *slots;                                                              \
        size_t len, cap;                                                                 \
    } name;                                                                              \
    /* The slot of key, or the free one where it would go. */                            \
    TD_UNUSED static inline name##_slot *name##_slot_of(const name *m, K key)            \
    {                                                                                    \
        TD_DASSERT(m->len < m->cap); /* a free slot ends the loop */                     \
        size_t i = (size_t)hash(key) & (m->cap - 1);                                     \
        while (m->slots[i].is_used && !same(m->slots[i].key, key))                       \
            i = (i + 1) & (m->cap - 1);                                                  \
        return &m->slots[i];                                                             \
    }                                                                                    \
    TD_UNUSED static inline void name##_grow(name *m)                                    \
    {                                                                                    \
        name old = *m;                                                                   \
        m->cap = old.cap ? 2 * old.cap : 32;                                             \
        m->slots = (name##_slot *)td_alloc(m->cap * sizeof *m->slots);                   \
        for (size_t i = 0; i < old.cap; i++)                                             \
            if (old.slots[i].is_used)                                                    \
                *name##_slot_of(m, old.slots[i].key) = old.slots[i];                     \
        td_free(old.slots);                                                              \
    }                                                                                    \
    /* The value of key; NULL if it is not there. */                                     \
    TD_UNUSED static inline V *name##_find(const name *m, K key)                         \
    {                                                                                    \
        name##_slot *s = m->len > 0 ? name##_slot_of(m, key) : NULL;                     \
        return s && s->is_used ? &s->value : NULL;                                       \
    }                                                                                    \
    /* The same; a new one is zero. */                                                   \
    TD_UNUSED static inline V *name##_at(name *m, K key)                                 \
    {                                                                                    \
        if (2 * (m->len + 1) > m->cap)                                                   \
            name##_grow(m);                                                              \
        name##_slot *s = name##_slot_of(m, key);                                         \
        m->len += !s->is_used;                                                           \
        s->key = key;                                                                    \
        s->is_used = true;                                                               \
        return &s->value;                                                                \
    }                                                                                    \
    TD_UNUSED static inline void name##_clear(name *m)                                   \
    {                                                                                    \
        if (m->len > 0)                                                                  \
            memset(m->slots, 0, m->cap * sizeof *m->slots);                              \
        m->len = 0;                                                                      \
    }                                                                                    \
    TD_UNUSED static inline void name##_fini(name *m)                                    \
    {                                                                                    \
        td_free(m->slots);                                                               \
        *m = (name){0};                                                                  \
    }                                                                                    \
    typedef name name##_defined
