/* SPDX-License-Identifier: Apache-2.0 */
/* The scattered bytes that the running segment has touched: for each page, site and kind of access, a bit
 * for each byte. They are recorded as ranges when the segment ends, or earlier if there are too many pages:
 * then later accesses may be recorded twice. */
#include "runtime/core/core.h"

#include <string.h>

#define PAGE UINT64_C(4096)
#define PAGES 32768u      /* pages at a time */
#define SLOTS (2 * PAGES) /* a power of two */

typedef struct page {
    uint64_t start;
    uint32_t site;
    uint8_t how;
    uint64_t bits[PAGE / 64];
} page;

/* slots: number of the page + 1, by its hash; 0: empty. */
typedef struct pages {
    uint32_t n;
    uint32_t slots[SLOTS];
    page at[PAGES];
} pages;

static pages *all(void)
{
    if (!rt->touched.pages)
        rt->touched.pages = rt_saved_alloc(sizeof(pages));
    return rt->touched.pages;
}

static uint32_t slot_of(uint64_t start, uint32_t site, uint8_t how)
{
    uint64_t hash = (start / PAGE + ((uint64_t)how << 60)) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ site) * UINT64_C(0xff51afd7ed558ccd);
    return (uint32_t)(hash >> 40) % SLOTS;
}

static page *page_new(pages *p, uint64_t start, uint32_t site, uint8_t how)
{
    RT_ASSERT(p->n < PAGES);
    page *x = &p->at[p->n++];
    x->start = start;
    x->site = site;
    x->how = how;
    memset(x->bits, 0, sizeof x->bits);
    return x;
}

static page *page_of(uint64_t start, uint32_t site, uint8_t how)
{
    pages *p = all();
    uint32_t i = slot_of(start, site, how);
    for (; p->slots[i] != 0; i = (i + 1) % SLOTS) {
        page *x = &p->at[p->slots[i] - 1];
        if (x->start == start && x->site == site && x->how == how)
            return x;
    }
    if (p->n == PAGES) {
        rt_touched_pages_flush();
        i = slot_of(start, site, how);
    }
    page *x = page_new(p, start, site, how);
    p->slots[i] = p->n;
    return x;
}

/* Sets bits [from, to) of a page. */
static void set_bits(page *x, uint64_t from, uint64_t to)
{
    RT_ASSERT(from < to && to <= PAGE);
    while (from < to) {
        uint64_t bit = from % 64, n = 64 - bit < to - from ? 64 - bit : to - from;
        uint64_t mask = n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
        x->bits[from / 64] |= mask << bit;
        from += n;
    }
}

void rt_touched_pages_add(const rt_range *x)
{
    for (uint64_t at = x->start; at < x->end;) {
        uint64_t start = at & ~(PAGE - 1);
        uint64_t to = x->end - start < PAGE ? x->end - start : PAGE;
        set_bits(page_of(start, x->site, x->how), at - start, to);
        at = start + to;
    }
}

/* The first bit from there on that is as wanted, or PAGE. */
static uint64_t next_bit(const page *x, uint64_t from, bool wanted)
{
    for (; from < PAGE; from = (from | 63) + 1) {
        uint64_t word = wanted ? x->bits[from / 64] : ~x->bits[from / 64];
        word >>= from % 64;
        if (word != 0)
            return from + (uint64_t)__builtin_ctzll(word);
    }
    return PAGE;
}

static void tell_page(const page *x)
{
    for (uint64_t from = next_bit(x, 0, true); from < PAGE;) {
        uint64_t to = next_bit(x, from, false);
        rt_range range = {x->start + from, x->start + to, x->site, x->how};
        rt_footprint_tell(&range);
        from = next_bit(x, to, true);
    }
}

void rt_touched_pages_flush(void)
{
    pages *p = rt->touched.pages;
    if (!p || p->n == 0)
        return;
    for (uint32_t i = 0; i < p->n; i++)
        tell_page(&p->at[i]);
    memset(p->slots, 0, sizeof p->slots);
    p->n = 0;
}

void rt_touched_pages_reset(void)
{
    pages *p = rt->touched.pages;
    if (!p || p->n == 0)
        return;
    memset(p->slots, 0, sizeof p->slots);
    p->n = 0;
}
