/* SPDX-License-Identifier: Apache-2.0 */
/* instrument/pointer_map.h - pointers to pointers (base/map.h). */
#pragma once

#include "base/map.h"

TD_MAP(const void *, void *, ins_map, td_hash_pointer, td_same_pointer);

/* key is not NULL. */
static inline void ins_map_put(ins_map *m, const void *key, void *value)
{
    TD_ASSERT(key != NULL);
    *ins_map_at(m, key) = value;
}

/* NULL if it is not there. */
static inline void *ins_map_get(const ins_map *m, const void *key)
{
    TD_ASSERT(key != NULL);
    void **value = ins_map_find(m, key);
    return value != NULL ? *value : NULL;
}
