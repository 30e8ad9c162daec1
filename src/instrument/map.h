/* SPDX-License-Identifier: Apache-2.0 */
/* instrument/map.h - pointers to pointers; all-zero is an empty map. Expected O(1). */
#pragma once

#include <stddef.h>

typedef struct ins_map_slot {
    const void *key; /* NULL: free */
    void *value;
} ins_map_slot;

typedef struct ins_map {
    ins_map_slot *slots;
    size_t len, cap; /* cap is 0 or a power of two */
} ins_map;

void ins_map_put(ins_map *m, const void *key, void *value); /* key is not NULL */
void *ins_map_get(const ins_map *m, const void *key);       /* NULL if it is not there */
void ins_map_clear(ins_map *m);
void ins_map_fini(ins_map *m);
