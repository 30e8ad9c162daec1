/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers to pointers: open addressing, at most half full. */
#include "instrument/map.h"

#include <stdint.h>
#include <string.h>

#include "base/vec.h"

static size_t first_slot(const ins_map *m, const void *key)
{
    uint64_t h = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(h >> 32) & (m->cap - 1);
}

/* The slot of key, or the free one where it would go. */
static ins_map_slot *slot_of(const ins_map *m, const void *key)
{
    size_t i = first_slot(m, key);
    while (m->slots[i].key != NULL && m->slots[i].key != key)
        i = (i + 1) & (m->cap - 1);
    return &m->slots[i];
}

static void enlarge(ins_map *m)
{
    ins_map old = *m;
    m->cap = old.cap ? 2 * old.cap : 32;
    m->slots = td_alloc(m->cap * sizeof *m->slots);
    for (size_t i = 0; i < old.cap; i++)
        if (old.slots[i].key != NULL)
            *slot_of(m, old.slots[i].key) = old.slots[i];
    td_free(old.slots);
}

void ins_map_put(ins_map *m, const void *key, void *value)
{
    TD_ASSERT(key != NULL);
    if (2 * (m->len + 1) > m->cap)
        enlarge(m);
    ins_map_slot *slot = slot_of(m, key);
    if (slot->key == NULL)
        m->len++;
    *slot = (ins_map_slot){key, value};
}

void *ins_map_get(const ins_map *m, const void *key)
{
    return m->cap ? slot_of(m, key)->value : NULL;
}

void ins_map_clear(ins_map *m)
{
    if (m->len)
        memset(m->slots, 0, m->cap * sizeof *m->slots);
    m->len = 0;
}

void ins_map_fini(ins_map *m)
{
    td_free(m->slots);
    *m = (ins_map){0};
}
