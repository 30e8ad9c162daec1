/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/memory/access_list.h - accesses of a granule that its words cannot hold (race.c). */
#pragma once

#include "runtime/memory/accesses.h"

/* The word of a site is the number of a list. */
#define HAS_LIST UINT32_C(0x80000000)

/* An access that the words of its granule no longer hold, or an atomic one, which they never do. */
typedef struct more {
    struct more *next;
    uint32_t epoch, site;
    bool is_write, is_atomic;
} more;

/* All such accesses of a granule; those of a freed block may have gone. */
typedef struct list {
    uint64_t granule;
    more *first;
    uint32_t write_site;
} list;

/* Lists and their entries come and go with single accesses. */
typedef union slot {
    union slot *next_free;
    more more;
    list list;
} slot;

static inline slot *slot_take(void)
{
    slot *free = rt->free_slots;
    if (!free)
        return rt_bump(sizeof(slot));
    rt->free_slots = free->next_free;
    return free;
}

static inline void slot_drop(void *p)
{
    slot *free = p;
    free->next_free = rt->free_slots;
    rt->free_slots = free;
}

/* Numbers of lists: where they are in the storage of the run. */
#define LIST_UNIT 16u

static inline uint32_t list_number(const list *l)
{
    uint64_t number = ((uint64_t)l - RT_BUMP) / LIST_UNIT;
    if (number >= HAS_LIST)
        rt_run_end(WIRE_DONE_DEPTH, 0);
    return (uint32_t)number;
}

/* Returns the list of that number, or NULL. */
static inline list *list_by_number(uint32_t number)
{
    uint64_t at = RT_BUMP + (uint64_t)number * LIST_UNIT;
    return rt_bump_has(at, sizeof(list)) ? (list *)at : NULL;
}
