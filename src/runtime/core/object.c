/* SPDX-License-Identifier: Apache-2.0 */
/* The objects of operations: created when first used in a run, found by their address. */
#include "runtime/core/core.h"

#include <string.h>

/* Open addressing; an entry of another run is free. The table doubles into the other half of its
 * region when it is half full. */
typedef struct table_entry {
    uint64_t address;
    uint32_t run;
    uint32_t object;
} table_entry;

typedef struct table_head {
    uint32_t run; /* number of the run, never 0 */
    uint32_t n_objects;
    uint64_t mask;
    uint32_t half;
} table_head;

#define TABLE ((table_head *)RT_OBJECT_TABLE)
#define TABLE_HALF UINT64_C(0x0400000000)
#define TABLE_ENTRIES ((table_entry *)(RT_OBJECT_TABLE + 4096 + TABLE->half * TABLE_HALF))
#define OBJECTS ((rt_object *)RT_OBJECTS)

void rt_objects_reset(void)
{
    if (TABLE->mask == 0)
        TABLE->mask = 1023;
    TABLE->run++;
    RT_ASSERT(TABLE->run != 0);
    RT_ASSERT((TABLE->mask & (TABLE->mask + 1)) == 0);
    TABLE->n_objects = 0;
    rt->n_typed = 0;
    rt->shares = NULL;
}

static uint64_t address_hash(uint64_t address)
{
    return (address * UINT64_C(0x9e3779b97f4a7c15)) >> 20;
}

static table_entry *table_find(uint64_t address)
{
    table_entry *entries = TABLE_ENTRIES;
    uint64_t i = address_hash(address) & TABLE->mask;
    while (entries[i].run == TABLE->run && entries[i].address != address)
        i = (i + 1) & TABLE->mask;
    return &entries[i];
}

static void table_grow(void)
{
    uint32_t n = TABLE->n_objects;
    TABLE->half ^= 1;
    TABLE->mask = TABLE->mask * 2 + 1;
    RT_ASSERT((TABLE->mask + 1) * sizeof(table_entry) < TABLE_HALF - 4096);
    memset(TABLE_ENTRIES, 0, (TABLE->mask + 1) * sizeof(table_entry));
    for (uint32_t i = 0; i < n; i++)
        *table_find(OBJECTS[i].address) =
            (table_entry){OBJECTS[i].address, TABLE->run, i};
}

rt_object *rt_object_at(uint64_t address)
{
    table_entry *e = table_find(address);
    if (e->run == TABLE->run)
        return &OBJECTS[e->object];
    if (TABLE->n_objects * 2 > TABLE->mask) {
        table_grow();
        e = table_find(address);
    }
    uint32_t index = TABLE->n_objects++;
    RT_ASSERT(TABLE->n_objects <= TABLE->mask);
    *e = (table_entry){address, TABLE->run, index};
    OBJECTS[index] = (rt_object){.address = address,
                                 .owner = RT_NONE,
                                 .held_prev = RT_NONE,
                                 .held_next = RT_NONE,
                                 .waiters = RT_NONE};
    return &OBJECTS[index];
}

rt_object *rt_object_known(uint64_t address)
{
    const table_entry *e = table_find(address);
    return e->run == TABLE->run ? &OBJECTS[e->object] : NULL;
}

uint32_t rt_n_objects(void)
{
    return TABLE->n_objects;
}

static rt_object *lowest_between(uint64_t start, uint64_t end)
{
    rt_object *lowest = NULL;
    for (uint32_t i = 0; i < TABLE->n_objects; i++) {
        rt_object *o = &OBJECTS[i];
        if (o->type != RT_UNTYPED && o->address >= start && o->address < end &&
            o->address % 4 == 0 && (!lowest || o->address < lowest->address))
            lowest = o;
    }
    return lowest;
}

/* A large block has more words than a run has objects. */
rt_object *rt_object_between(uint64_t start, uint64_t end)
{
    start = (start + 3) & ~UINT64_C(3);
    if (start < end && (end - start) / 4 > TABLE->n_objects)
        return lowest_between(start, end);
    for (uint64_t at = start; at < end; at += 4) {
        const table_entry *e = table_find(at);
        if (e->run == TABLE->run && OBJECTS[e->object].type != RT_UNTYPED)
            return &OBJECTS[e->object];
    }
    return NULL;
}

uint32_t rt_object_index(const rt_object *o)
{
    return (uint32_t)(o - OBJECTS);
}

rt_object *rt_object_by_index(uint32_t index)
{
    RT_ASSERT(index < TABLE->n_objects);
    return &OBJECTS[index];
}

void rt_object_become(rt_object *o, uint8_t type)
{
    RT_ASSERT(type < RT_N_TYPES);
    RT_ASSERT(o->n_readers == 0);
    rt->n_typed += o->type == RT_UNTYPED;
    o->type = type;
    o->is_made = type != RT_UNTYPED;
    o->state = RT_OBJECT_FREE;
    o->owner = RT_NONE;
    o->robust = RT_ROBUST_WELL;
    o->count = o->arrived = 0;
}
