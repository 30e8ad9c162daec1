/* SPDX-License-Identifier: Apache-2.0 */
/* Content ids, and sets of them: open addressing, at most three quarters full. */
#include "base/id.h"

#include <stdio.h>
#include <string.h>

#include <assert.h> /* xxHash 0.8.1 uses static_assert without it */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/assert.h"
#include "base/vec.h"

enum { SMALLEST = 16 }; /* slots; a power of two */

td_id td_id_hash(const void *data, size_t size)
{
    XXH128_hash_t h = XXH3_128bits(data, size);
    return (td_id){h.low64, h.high64};
}

void td_id_print(td_id id, char out[33])
{
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)id.hi,
             (unsigned long long)id.lo);
}

/* The slot that holds id, or the free one where it belongs. Ids are hashes already, so
 * their low bits serve as they are. There is always a free slot. */
static size_t slot_of(const td_id_set *set, td_id id)
{
    TD_DASSERT(set->len < set->cap);
    size_t mask = set->cap - 1;
    size_t i = id.lo & mask;
    while (!td_id_zero(set->slots[i]) && !td_id_equal(set->slots[i], id))
        i = (i + 1) & mask;
    return i;
}

static void grow(td_id_set *set)
{
    td_id_set bigger = {.len = set->len, .cap = set->cap ? 2 * set->cap : SMALLEST};
    TD_ASSERT((bigger.cap & (bigger.cap - 1)) == 0);
    bigger.slots = td_alloc(bigger.cap * sizeof(td_id));
    for (size_t i = 0; i < set->cap; i++)
        if (!td_id_zero(set->slots[i]))
            bigger.slots[slot_of(&bigger, set->slots[i])] = set->slots[i];
    td_free(set->slots);
    *set = bigger;
}

bool td_id_set_add(td_id_set *set, td_id id)
{
    TD_ASSERT(!td_id_zero(id));
    if (4 * set->len >= 3 * set->cap)
        grow(set);
    size_t i = slot_of(set, id);
    if (!td_id_zero(set->slots[i]))
        return false;
    set->slots[i] = id;
    set->len++;
    return true;
}

bool td_id_set_has(const td_id_set *set, td_id id)
{
    TD_ASSERT(!td_id_zero(id));
    return set->len > 0 && !td_id_zero(set->slots[slot_of(set, id)]);
}

void td_id_set_clear(td_id_set *set)
{
    if (set->len > 0)
        memset(set->slots, 0, set->cap * sizeof(td_id));
    set->len = 0;
}

void td_id_set_fini(td_id_set *set)
{
    td_free(set->slots);
    *set = (td_id_set){0};
}
