/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/memory/accesses.h - accesses, blocks and snapshots of the program's memory. */
#pragma once

#include "runtime/core/above.h"

/* ---- races (race.c) ---- */

void rt_race_reset(void);
void rt_access(uint64_t p, uint64_t size, bool is_write, uint32_t site);
/* The same, by a function of the library; quick where self's segment has touched it before. */
void rt_access_by_library(uint64_t p, uint64_t size, bool is_write, uint32_t site);
/* The same for memory that is gone: compared only. */
void rt_access_gone(uint64_t p, uint64_t size, bool is_write, uint32_t site);
/* Self accesses a block that was freed: a race with the free if nothing orders them. */
void rt_access_after_free(const rt_past *past, uint64_t p, uint64_t size, bool is_write,
                          uint32_t site);
/* An atomic access, the operation of self that was granted last: compared with plain ones. What it
 * wrote may be seen by a plain read. */
void rt_access_atomic(uint64_t p, uint64_t size, bool is_write, uint32_t site);
/* Self's operation on an object of the threads library, which turned out to be of this kind: an
 * atomic access, or a plain write where it sets the object up or takes it down. */
void rt_access_object(const rt_op *op, uint8_t kind);
/* Self copies what is there, on behalf of the program; not compared with other accesses. */
void rt_access_copied(uint64_t p, uint64_t size);
/* The block is freed by self: a write of all of it, and the next access does not pass inline. */
void rt_access_freed(uint64_t p, uint64_t size, uint32_t site);
/* Records that self wrote a block that no other thread knows yet. */
void rt_access_made(uint64_t p, uint64_t size, uint32_t site);
/* Records that freed memory is reused, from start to end. */
void rt_access_reused(uint64_t p, uint64_t size, uint64_t start, uint64_t end);
/* Finds an access to [start, end) by another thread that is not ordered before self; false: none. */
typedef struct rt_unordered {
    uint64_t address;
    uint32_t thread, site;
    bool is_write;
} rt_unordered;
bool rt_access_unordered(uint64_t start, uint64_t end, rt_unordered *out);
/* Forget accesses to memory that changes its meaning (lent thread-local storage). */
void rt_race_forget(uint64_t start, uint64_t end);

/* ---- promoted sites (promote.c) ---- */

/* Those of the job. */
void rt_promote_reset(void);
/* An access of so many bytes by the site is an operation. */
bool rt_is_promoted(uint32_t site, uint64_t size);
/* Self is about to access: if the site is promoted it waits for its turn. */
void rt_promoted_wait(uint64_t p, uint64_t size, bool is_write, uint32_t site);

/* ---- heap (heap.c) ---- */

void rt_heap_init(rt_heap *h, uint32_t slot);
void rt_heap_saved(void);   /* the snapshot is taken now */
void rt_heap_restore(void); /* for all threads of the last run */

/* ---- blocks (block.c) ---- */

void rt_block_add(rt_block *b);
/* The last block whose head is at or before an address in a heap; NULL: none. */
rt_block *rt_block_before(uint64_t address);
/* Removes all blocks from start to end. */
void rt_blocks_forget(uint64_t start, uint64_t end);

static inline uint64_t rt_block_start(const rt_block *b)
{
    uint64_t align = UINT64_C(1) << b->align;
    return ((uint64_t)(b + 1) + align - 1) & ~(align - 1);
}

static inline rt_past *rt_block_past(const rt_block *b)
{
    return (rt_past *)((uint64_t)b ^ PLAN_SITE_XOR);
}

/* Returns the thread that freed it. The program may have overwritten the record. */
static inline uint32_t rt_past_thread(const rt_past *p)
{
    return p->freed_segment <= RT_MAX_SEGMENT
               ? ((const uint32_t *)RT_SEGMENTS)[p->freed_segment]
               : 0;
}

/* ---- memory errors (watch.c, leak.c) ---- */

void rt_watch_reset(void);
/* Call for an access of self to [p, p + size): ends the run if these bytes are not in a block, in a freed
 * one, or on a stack that no longer exists. */
void rt_watch(uint64_t p, uint64_t size, bool is_write, uint32_t site);
/* ---- locals whose function has returned (left.c) ---- */

/* Self has left the function that had a local there. */
void rt_left_put(uint64_t start, uint64_t end);
/* Owner has left a function that had a local there, and nothing orders that before self. */
bool rt_left_has(const rt_thread *owner, uint64_t start, uint64_t end);

/* ---- what was seen of blocks ---- */

/* Forgets the known blocks, because one has changed. */
static inline void rt_watch_forget(void)
{
    for (uint32_t i = 0; i < RT_KNOWN_BLOCKS; i++)
        rt->known[i] = (rt_range){0};
}
/* It is in a block that rt_watch has seen. */
static inline bool rt_watch_knows(uint64_t p, uint64_t size)
{
    for (uint32_t i = 0; i < RT_KNOWN_BLOCKS; i++)
        if (p >= rt->known[i].start && p + size <= rt->known[i].end)
            return true;
    return false;
}
/* The block that starts at p. NULL: free of p is an error, which was reported. */
rt_block *rt_watch_free(uint64_t p, uint32_t site);
/* Self is at an operation, and its stack ends at sp: an error if another thread may still use what is below. */
void rt_watch_operation(uint64_t sp);
/* The same where an exception was caught, by the function whose frame begins at sp. */
void rt_watch_caught(uint64_t sp);
/* Self ends: an error if another thread may still use its stack. */
void rt_watch_end(void);
/* A run ends: notes blocks that nothing points to, if the process has ended. */
rt_end_call rt_leaks_end;
void rt_leaks_clear(void);

/* ---- snapshot (snapshot.c) ---- */

void rt_snapshot_take(void);
void rt_snapshot_restore(void);
/* Calls visit for all memory that a snapshot holds, in pieces; pages never touched are left out. */
void rt_snapshot_visit(void (*visit)(uint64_t start, uint64_t end));
