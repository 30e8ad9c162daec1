/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the block of the heap that contains or precedes an address.
 *
 * One bit for every 16 bytes of the heap marks the head of a block. Higher levels of bits mark the words of
 * the level below that have one, so the last head before an address is found in a few steps, however large a
 * block is. A head stays until the run is over: blocks are reused, never split. */
#include "runtime/memory/accesses.h"

#include <string.h>

#define STEP 16u
#define LEVELS 7u

/* The heaps are PLAN_SLOTS up to the runtime's state; each level is a 64th of the one below. */
static const uint64_t levels[LEVELS] = {
    RT_BLOCKS,
    RT_BLOCKS + UINT64_C(0xc00000000),
    RT_BLOCKS + UINT64_C(0xc30000000),
    RT_BLOCKS + UINT64_C(0xc30c00000),
    RT_BLOCKS + UINT64_C(0xc30c30000),
    RT_BLOCKS + UINT64_C(0xc30c30c00),
    RT_BLOCKS + UINT64_C(0xc30c30c30),
};

static uint64_t *word_at(uint32_t level, uint64_t bit)
{
    return (uint64_t *)levels[level] + bit / 64;
}

static uint64_t bit_of(uint64_t address)
{
    return (address - PLAN_SLOTS) / STEP;
}

void rt_block_add(rt_block *b)
{
    RT_ASSERT((uint64_t)b % 16 == 0);
    uint64_t bit = bit_of((uint64_t)b);
    for (uint32_t level = 0; level < LEVELS; level++, bit /= 64) {
        uint64_t *word = word_at(level, bit);
        bool known = *word != 0;
        *word |= UINT64_C(1) << bit % 64;
        if (known)
            return;
    }
}

/* Returns the last set bit of a level up to that one, in its word; -1: none. */
static int64_t last_in_word(uint32_t level, uint64_t bit)
{
    uint64_t up_to = UINT64_MAX >> (63 - bit % 64);
    uint64_t word = *word_at(level, bit) & up_to;
    if (word == 0)
        return -1;
    return (int64_t)(bit / 64 * 64 + 63 - (uint64_t)__builtin_clzll(word));
}

rt_block *rt_block_before(uint64_t address)
{
    uint64_t bit = bit_of(address);
    uint32_t level = 0;
    int64_t found = last_in_word(0, bit);
    while (found < 0) {
        /* The next level's bit for this word is done; continues with the previous bit. */
        bit /= 64;
        if (++level == LEVELS || bit == 0)
            return NULL;
        found = last_in_word(level, --bit);
    }
    while (level-- > 0)
        found = last_in_word(level, (uint64_t)found * 64 + 63);
    return (rt_block *)(PLAN_SLOTS + (uint64_t)found * STEP);
}

/* Clears the bits first..last of a level. */
static void clear_bits(uint32_t level, uint64_t first, uint64_t last)
{
    uint64_t *from = word_at(level, first), *to = word_at(level, last);
    uint64_t below = (UINT64_C(1) << first % 64) - 1;
    uint64_t above = ~(UINT64_MAX >> (63 - last % 64));
    if (from == to) {
        *from &= below | above;
        return;
    }
    *from &= below;
    *to &= above;
    memset(from + 1, 0, (size_t)((uint8_t *)to - (uint8_t *)(from + 1)));
}

void rt_blocks_forget(uint64_t start, uint64_t end)
{
    RT_ASSERT(start <= end);
    uint64_t first = bit_of(start), last = bit_of(end - 1) + 1; /* one behind */
    for (uint32_t level = 0; level < LEVELS && first < last; level++) {
        clear_bits(level, first, last - 1);
        bool keep_first = *word_at(level, first) != 0;
        bool keep_last = *word_at(level, last - 1) != 0;
        first = first / 64 + keep_first;
        last = (last - 1) / 64 + !keep_last;
    }
}
