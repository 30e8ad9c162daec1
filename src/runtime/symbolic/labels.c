/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of memory: which byte of which value a byte is.
 *
 * A store makes no nodes, and a load of the stored value returns the same label. Uninstrumented code
 * writes memory unseen: a label whose byte has another value than expected is dropped. */
#include "runtime/symbolic/nodes.h"

#include <string.h>
#include <sys/mman.h>

#include "runtime/core/stamped.h"
#include "runtime/core/sys.h"
#include "runtime/symbolic/values.h"

static rt_stamped page_set(void)
{
    return (rt_stamped){SYM->page_set, 2 * MAX_PAGES, SYM->round};
}

static void page_add(uint64_t page)
{
    const rt_stamped s = page_set();
    bool known;
    uint64_t *at = rt_stamped_find(&s, page, &known);
    if (known)
        return;
    if (SYM->n_pages == MAX_PAGES) {
        SYM->pages_full = true;
        return;
    }
    *at = rt_stamp(&s, page);
    SYM->pages[SYM->n_pages++] = page;
    RT_ASSERT(SYM->n_pages <= MAX_PAGES);
}

/* Labels other than 0 are about to be put there. */
static void touch(uint64_t p, uint64_t size)
{
    RT_ASSERT(size > 0);
    uint64_t first = PLAN_LABEL(p) / PAGE, last = PLAN_LABEL(p + size - 1) / PAGE;
    for (uint64_t page = first; page <= last; page++) {
        if (page != SYM->last_page)
            page_add(page);
        SYM->last_page = page;
    }
}

static void drop_plane(void)
{
#define X(lo, hi)                                                                        \
    rt_sys(SYS_madvise, (long)PLAN_LABEL(lo), (long)((hi - lo) * 4), MADV_DONTNEED);
    PLAN_WINDOWS(X)
#undef X
}

/* The table is empty again. */
static void next_round(void)
{
    const rt_stamped s = page_set();
    SYM->round = rt_stamped_next(&s);
}

void rt_sym_reset(void)
{
    RT_ASSERT(!rt->active);
    SYM->n_recorded = 0;
    SYM->n_nodes = SYM->n_used = 1;
    rt->n_inputs = rt->input_at = 0;
    if (!rt->symbolic) {
        next_round();
        return;
    }
    if (SYM->pages_full)
        drop_plane();
    for (uint32_t i = 0; i < SYM->n_pages && !SYM->pages_full; i++)
        memset((void *)(SYM->pages[i] * PAGE), 0, PAGE);
    next_round();
    SYM->n_pages = 0;
    SYM->last_page = 0;
    SYM->full = SYM->pages_full = false;
    PLAN_CTL->callee = PLAN_CTL->returned = 0;
}

bool rt_sym_live(void)
{
    return rt->symbolic && SYM->n_pages > 0;
}

bool rt_sym_exists(void)
{
    return rt->symbolic && SYM->n_nodes > 1;
}

void rt_sym_forget(uint64_t p, uint64_t size)
{
    if (rt_sym_live())
        memset(labels_at(p), 0, size * 4);
}

bool rt_labels_any(const uint32_t *labels, uint64_t n)
{
    uint32_t any = 0;
    for (uint64_t i = 0; i < n; i++)
        any |= labels[i];
    return any != 0;
}

bool rt_sym_any(uint64_t p, uint64_t size)
{
    return rt_sym_live() && rt_labels_any(labels_at(p), size);
}

void rt_sym_put_text(uint64_t p, uint32_t size)
{
    uint32_t *labels = labels_at(p);
    touch(p, size);
    for (uint32_t i = 0; i < size; i++)
        labels[i] = TEXT_LABEL;
}

/* Bytes are looked at or copied: digits of a number get their own labels first. */
void rt_labels_spell(uint64_t p, uint64_t size)
{
    const uint32_t *labels = labels_at(p);
    for (uint64_t i = 0; i < size; i++)
        if (labels[i] == TEXT_LABEL) {
            rt->spell(p, size);
            return;
        }
}

void rt_sym_copy(uint64_t to, uint64_t from, uint64_t size)
{
    if (!rt_sym_live() || size == 0)
        return;
    if (rt_labels_any(labels_at(from), size)) {
        rt_labels_spell(from, size);
        touch(to, size);
    }
    memmove(labels_at(to), labels_at(from), size * 4);
}

void rt_sym_put(uint64_t p, uint32_t size, uint32_t label)
{
    uint32_t *labels = labels_at(p);
    if (label)
        label = rt_node_fit(label, size * 8);
    if (label)
        touch(p, size);
    for (uint32_t i = 0; i < size; i++)
        labels[i] = label ? label << 4 | i : 0;
}

/* Drops labels of bytes that uninstrumented code has changed. */
void rt_labels_validate(uint32_t *labels, uint32_t size, const uint8_t *bytes)
{
    for (uint32_t i = 0; i < size; i++) {
        if (labels[i] == 0)
            continue;
        const node *n = node_at(labels[i] >> 4);
        uint32_t k = labels[i] & 15;
        uint8_t byte = (uint8_t)(n->value[k / 8] >> k % 8 * 8);
        if (8 * k >= n->bits || byte != bytes[i])
            labels[i] = 0;
    }
}

/* Bytes in a row, from the i-th one, that are such of one node or are concrete. */
static uint32_t row_at(const uint32_t *labels, uint32_t size, uint32_t i)
{
    uint32_t n = 1;
    while (i + n < size && labels[i + n] == (labels[i] ? labels[i] + n : 0) &&
           labels[i + n] >> 4 == labels[i] >> 4)
        n++;
    return n;
}

/* The label of what is read from bytes that do not come from one store. */
static uint32_t assemble(const uint32_t *labels, uint32_t size, unsigned __int128 value)
{
    uint32_t low = 0, low_bits = 0;
    for (uint32_t i = 0, n; i < size; i += n) {
        n = row_at(labels, size, i);
        uint32_t part = 0;
        if (labels[i])
            part = rt_node_extract(labels[i] >> 4, (labels[i] & 15) * 8, n * 8);
        if ((part | low) && low_bits)
            low = rt_node_join(part, low, n * 8, low_bits, value);
        else
            low = part;
        low_bits += n * 8;
    }
    return low;
}

uint32_t rt_sym_get(uint64_t p, uint32_t size, uint64_t low, uint64_t high)
{
    uint32_t *labels = labels_at(p);
    uint64_t halves[2] = {low, high};
    if (size > 16)
        return 0;
    rt_labels_spell(p, size);
    rt_labels_validate(labels, size, (const uint8_t *)halves);
    if (!rt_labels_any(labels, size))
        return 0;
    return assemble(labels, size, (unsigned __int128)high << 64 | low);
}

uint32_t rt_sym_label_at(uint64_t p, uint32_t size, uint64_t value)
{
    return rt_sym_live() ? rt_sym_get(p, size, value, 0) : 0;
}

void rt_sym_label_put(uint64_t p, uint32_t size, uint32_t label)
{
    if (rt_sym_live())
        rt_sym_put(p, size, label);
}

bool rt_sym_by_inputs(uint64_t p, uint64_t size)
{
    bool any = false;
    for (uint64_t i = 0; i < size && rt_sym_live(); i++)
        any |= labels_at(p)[i] == TEXT_LABEL || by_inputs(labels_at(p)[i] >> 4);
    return any;
}

static uint64_t read_half(uint64_t p, uint32_t size)
{
    return size > 0 ? rt_peek(p, size) : 0;
}

uint32_t rt_sym_read(uint64_t p, uint32_t size, uint32_t site)
{
    RT_ASSERT(size > 0 && size <= 16);
    uint64_t low = read_half(p, size < 8 ? size : 8);
    uint64_t high = read_half(p + 8, size > 8 ? size - 8 : 0);
    uint32_t stored = rt_sym_get(p, size, low, high);
    const node *last = node_at(stored);
    if (last->op == OP_READ && last->immediate[0] == p && last->bits == 8 * size)
        stored = last->a;
    uint32_t label = rt_node_new(OP_READ, 8 * size, low, high);
    if (label == 0)
        return 0;
    node *n = &NODES[label];
    n->a = of_width(stored, 8 * size);
    n->thread = rt->self->id;
    n->immediate[0] = p;
    n->immediate[1] = (uint64_t)rt->n_ops << 32 | site;
    n->flags = OF_READS;
    rt_node_inherit(n);
    rt_sym_put(p, size, label);
    return label;
}

void rt_labels_map(void)
{
    if (rt->labels_mapped)
        return;
    rt->labels_mapped = true;
#define X(lo, hi)                                                                        \
    rt_sys_reserve(PLAN_LABEL(lo), (hi - lo) * 4, PROT_READ | PROT_WRITE);               \
    rt_sys(SYS_madvise, (long)PLAN_LABEL(lo), (long)((hi - lo) * 4), MADV_DONTDUMP);
    PLAN_WINDOWS(X)
#undef X
}
