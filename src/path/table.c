/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers by content id: open addressing, at most half full. */
#include "path/path_int.h"

#include "base/assert.h"

static size_t slot_of(const pth_entry *slots, size_t cap, td_id id)
{
    TD_ASSERT(cap > 0 && (cap & (cap - 1)) == 0);
    size_t at = id.lo & (cap - 1);
    while (!td_id_zero(slots[at].id) && !td_id_equal(slots[at].id, id))
        at = (at + 1) & (cap - 1);
    return at;
}

static void grow(pth_table *t)
{
    size_t cap = t->cap ? 2 * t->cap : 64;
    pth_entry *slots = td_alloc(cap * sizeof *slots);
    for (size_t i = 0; i < t->cap; i++)
        if (!td_id_zero(t->slots[i].id))
            slots[slot_of(slots, cap, t->slots[i].id)] = t->slots[i];
    td_free(t->slots);
    t->slots = slots;
    t->cap = cap;
}

uint32_t pth_table_get(const pth_table *t, td_id id)
{
    if (t->len == 0)
        return UINT32_MAX;
    const pth_entry *e = &t->slots[slot_of(t->slots, t->cap, id)];
    return td_id_zero(e->id) ? UINT32_MAX : e->number;
}

uint32_t pth_table_number(pth_table *t, td_id id, uint32_t number)
{
    TD_ASSERT(number != UINT32_MAX); /* it says that there is none */
    TD_DASSERT(!td_id_zero(id));
    if (2 * t->len >= t->cap)
        grow(t);
    pth_entry *e = &t->slots[slot_of(t->slots, t->cap, id)];
    if (td_id_zero(e->id)) {
        *e = (pth_entry){id, number};
        t->len++;
    }
    return e->number;
}

void pth_table_fini(pth_table *t)
{
    td_free(t->slots);
    *t = (pth_table){0};
}
