/* SPDX-License-Identifier: Apache-2.0 */
/* A map from numbers to indices. */
#include "report/text/report_int.h"

#include "base/assert.h"

static size_t slot_of(const rep_map *m, uint64_t key)
{
    TD_ASSERT(m->cap > m->len &&
              (m->cap & (m->cap - 1)) == 0); /* a free slot ends the loop */
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(hash >> 20) & (m->cap - 1);
    while (m->values[i] != 0 && m->keys[i] != key)
        i = (i + 1) & (m->cap - 1);
    return i;
}

static void grow(rep_map *m)
{
    rep_map old = *m;
    m->cap = old.cap == 0 ? 64 : old.cap * 2;
    m->keys = td_alloc(m->cap * sizeof m->keys[0]);
    m->values = td_alloc(m->cap * sizeof m->values[0]);
    for (size_t i = 0; i < old.cap; i++) {
        if (old.values[i] == 0)
            continue;
        size_t to = slot_of(m, old.keys[i]);
        m->keys[to] = old.keys[i];
        m->values[to] = old.values[i];
    }
    td_free(old.keys);
    td_free(old.values);
}

uint32_t rep_map_get(const rep_map *m, uint64_t key)
{
    if (m->cap == 0)
        return REP_NONE;
    return m->values[slot_of(m, key)] - 1; /* of a free slot: REP_NONE */
}

void rep_map_put(rep_map *m, uint64_t key, uint32_t value)
{
    TD_ASSERT(value != REP_NONE);
    if (2 * (m->len + 1) > m->cap)
        grow(m);
    size_t i = slot_of(m, key);
    m->len += m->values[i] == 0;
    m->keys[i] = key;
    m->values[i] = value + 1;
    TD_ASSERT(2 * m->len <= m->cap);
}

void rep_map_fini(rep_map *m)
{
    td_free(m->keys);
    td_free(m->values);
    *m = (rep_map){0};
}
