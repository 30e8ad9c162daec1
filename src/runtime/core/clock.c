/* SPDX-License-Identifier: Apache-2.0 */
/* Vector clocks, objects, and the storage of one run. */
#include "runtime/core/rt.h"

#include <string.h>
#include <sys/mman.h>

#include "runtime/core/sys.h"

/* ---- storage of one run ---- */

/* The first words of the region: where the free part starts, and how far it was ever used. */
typedef struct bump_head {
    uint64_t at, dirty;
} bump_head;

#define BUMP ((bump_head *)RT_BUMP)
#define BUMP_START (RT_BUMP + 64)

void rt_bump_reset(void)
{
    if (BUMP->at > BUMP->dirty)
        BUMP->dirty = BUMP->at;
    BUMP->at = BUMP_START;
}

void *rt_bump(size_t size)
{
    size = (size + 15) & ~(size_t)15;
    uint64_t at = BUMP->at;
    if (at + size > RT_BUMP_END)
        rt_run_end(WIRE_DONE_DEPTH, 0);
    BUMP->at = at + size;
    /* Only what an earlier run used is not zero. */
    if (at < BUMP->dirty)
        memset((void *)at, 0, size);
    return (void *)at;
}

/* ---- clocks ---- */

/* Makes the clock at least need long. */
static void clock_grow(rt_clock *c, uint32_t need)
{
    need = (need + RT_CLOCK_STEP - 1) / RT_CLOCK_STEP * RT_CLOCK_STEP;
    if (need > c->cap) {
        uint32_t cap = c->cap ? c->cap : 2 * RT_CLOCK_STEP;
        while (cap < need)
            cap *= 2;
        uint32_t *at = rt_bump(cap * sizeof *at);
        if (c->len > 0)
            memcpy(at, c->at, c->len * sizeof *at);
        c->at = at;
        c->cap = cap;
    }
    memset(c->at + c->len, 0, (need - c->len) * sizeof *c->at);
    c->len = need;
}

/* RT_CLOCK_STEP entries at once, as the compiler's vector. */
typedef uint32_t step __attribute__((vector_size(4 * RT_CLOCK_STEP), aligned(4)));

/* The larger of each pair; n is a multiple of RT_CLOCK_STEP. */
static inline __attribute__((always_inline)) void
take_larger(uint32_t *restrict a, const uint32_t *restrict b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += RT_CLOCK_STEP) {
        step *x = (step *)(a + i);
        const step *y = (const step *)(b + i);
        step larger = (step)(*x > *y); /* all ones where x is */
        *x = (*x & larger) | (*y & ~larger);
    }
}

#if defined(__x86_64__)
/* The baseline instruction set has no maximum of unsigned words. */
__attribute__((target("avx2"))) static void
take_larger_avx2(uint32_t *restrict a, const uint32_t *restrict b, uint32_t n)
{
    take_larger(a, b, n);
}
#endif

void rt_clock_join(rt_clock *into, const rt_clock *from)
{
    if (from->len > into->len)
        clock_grow(into, from->len);
#if defined(__x86_64__)
    if (rt->avx2) {
        take_larger_avx2(into->at, from->at, from->len);
        return;
    }
#endif
    take_larger(into->at, from->at, from->len);
}

void rt_clock_copy(rt_clock *into, const rt_clock *from)
{
    into->len = 0;
    if (from->len > into->cap)
        clock_grow(into, from->len);
    into->len = from->len;
    for (uint32_t i = 0; i < from->len; i++)
        into->at[i] = from->at[i];
}

void rt_clock_set(rt_clock *c, uint32_t thread, uint32_t segment)
{
    if (thread >= c->len)
        clock_grow(c, thread + 1);
    c->at[thread] = segment;
}

/* ---- objects ---- */

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

void rt_race_reset(void)
{
    if (TABLE->mask == 0)
        TABLE->mask = 1023;
    TABLE->run++;
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
    *e = (table_entry){address, TABLE->run, index};
    OBJECTS[index] = (rt_object){.address = address,
                                 .owner = RT_NONE,
                                 .held_prev = RT_NONE,
                                 .held_next = RT_NONE,
                                 .waiters = RT_NONE};
    return &OBJECTS[index];
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
    return &OBJECTS[index];
}
