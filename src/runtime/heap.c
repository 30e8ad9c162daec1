/* SPDX-License-Identifier: Apache-2.0 */
/* The heap of the whole process while it is under control.
 *
 * Every thread allocates from its own slot and takes again only what it freed itself, oldest
 * first: an address depends on what its thread did, not on the schedule. Blocks wait in a queue
 * before they are used again, so that a use after free is not hidden at once.
 *
 * A block is preceded by a head of 16 bytes; heads are checked, because the program may have
 * written over them. Started by hand, everything goes to the C library. */
#include "runtime/rt.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/sys.h"

#define HEAD 16u
#define QUARANTINE 32u /* freed blocks of a class that wait */
#define LIVE UINT32_C(0x11e4b10c)
#define FREED UINT32_C(0xf4eedb10)

typedef struct block {
    uint32_t mark; /* LIVE or FREED */
    uint32_t class;
    union {
        uint64_t size; /* LIVE */
        uint64_t next; /* FREED, in a queue */
    };
} block;

/* The C library's own. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

/* ---- size classes: 16-byte steps to 256, then 4 per doubling ---- */

static uint32_t class_of(uint64_t size)
{
    if (size <= 256)
        return size == 0 ? 0 : (uint32_t)((size - 1) / 16);
    uint32_t log = 63 - (uint32_t)__builtin_clzll(size - 1);
    uint32_t quarter = (uint32_t)((size - 1) >> (log - 2)) & 3;
    uint32_t class = 16 + (log - 8) * 4 + quarter;
    return class < RT_CLASSES ? class : RT_CLASSES;
}

static uint64_t class_size(uint32_t class)
{
    if (class < 16)
        return (class + 1) * 16;
    uint32_t log = 8 + (class - 16) / 4, quarter = (class - 16) % 4;
    return (UINT64_C(1) << log) + (UINT64_C(1) << (log - 2)) * (quarter + 1);
}

/* ---- heaps ---- */

void rt_heap_init(rt_heap *h, uint32_t slot)
{
    memset(h, 0, sizeof *h);
    h->base = rt_slot_base(slot) + rt_slot_colour(slot);
    h->end = rt_stack_bottom(slot);
    if (slot == 0) {
        h->base = PLAN_MAIN_HEAP;
        h->end = PLAN_MAIN_HEAP + PLAN_MAIN_HEAP_SIZE;
    }
    h->top = h->base;
}

static rt_heap *heap_now(void)
{
    if (rt->active)
        return &rt->self->heap;
    return rt->preparing ? &rt->service_heap : &rt->main_heap;
}

static bool ours(const void *p)
{
    uint64_t at = (uint64_t)p;
    return at >= PLAN_SLOTS && at < PLAN_BIG_HEAP + PLAN_BIG_HEAP_SIZE;
}

/* Blocks too large for a class live only on the heap's end; they are not used again. */
static uint64_t carve(rt_heap *h, uint64_t bytes)
{
    uint64_t at = h->top;
    if (bytes > h->end - at) {
        h = &rt->big_heap;
        at = h->top;
        if (bytes > h->end - at)
            return 0;
    }
    h->top = at + bytes;
    return at;
}

static bool over_limit(uint64_t size)
{
    if (rt->heap_used + size <= rt->shm->heap_limit)
        return false;
    if (rt->active && !rt->gap_memory) {
        rt->gap_memory = true;
        rt_gap(WIRE_GAP_MEMORY, 0, "malloc returned NULL");
    }
    return true;
}

static block *queue_take(rt_heap *h, uint32_t class)
{
    if (class >= RT_CLASSES || h->waiting[class] <= QUARANTINE)
        return NULL;
    block *b = (block *)h->first[class];
    if (b->mark != FREED)
        return NULL; /* written over: leave it alone */
    h->first[class] = b->next;
    h->waiting[class]--;
    return b;
}

/* A large block is not used again: its memory goes back, its addresses do not. */
static void drop_pages(const block *b, uint64_t size)
{
    uint64_t from = ((uint64_t)b + HEAD + 4095) & ~UINT64_C(4095);
    uint64_t to = ((uint64_t)b + HEAD + size) & ~UINT64_C(4095);
    if (to > from)
        rt_sys(SYS_madvise, (long)from, (long)(to - from), MADV_DONTNEED);
}

static void queue_put(rt_heap *h, block *b)
{
    uint32_t class = b->class;
    uint64_t size = b->size;
    b->mark = FREED;
    b->next = 0;
    if (class >= RT_CLASSES) {
        drop_pages(b, size);
        return;
    }
    if (h->waiting[class]++ == 0)
        h->first[class] = (uint64_t)b;
    else
        ((block *)h->last[class])->next = (uint64_t)b;
    h->last[class] = (uint64_t)b;
}

/* *fresh: the memory is still zero. */
static void *allocate(uint64_t size, bool *fresh)
{
    if (size > (UINT64_C(1) << 40) || over_limit(size))
        return NULL;
    rt_changed();
    rt_heap *h = heap_now();
    uint32_t class = class_of(size);
    block *b = queue_take(h, class);
    *fresh = b == NULL;
    if (!b) {
        uint64_t room = class < RT_CLASSES ? class_size(class) : (size + 15) & ~15ull;
        b = (block *)carve(h, room + HEAD);
        if (!b)
            return NULL;
    }
    b->mark = LIVE;
    b->class = class;
    b->size = size;
    rt->heap_used += size;
    if (!*fresh)
        rt_sym_forget((uint64_t)b + HEAD, size);
    return (uint8_t *)b + HEAD;
}

static block *block_of(void *p)
{
    block *b = (block *)((uint8_t *)p - HEAD);
    /* An aligned block is preceded by a head that names the real one. */
    if (b->mark == LIVE && b->class == UINT32_MAX)
        b = (block *)(b->size - HEAD);
    return b;
}

static void release(void *p, uint32_t site)
{
    bool placed = ((uint64_t)p & 15) == 0;
    rt_changed();
    block *b = placed ? block_of(p) : NULL;
    if (!b || (b->mark != LIVE && b->mark != FREED)) {
        if (rt->active)
            rt_fail_end(WIRE_FAIL_MEMORY, site, (uint64_t)p, 0,
                        "free of something that malloc did not return");
        return;
    }
    if (b->mark == FREED) {
        if (rt->active)
            rt_fail_end(WIRE_FAIL_MEMORY, site, (uint64_t)p, 0, "free of a freed block");
        return;
    }
    /* A second one by another thread would fail: to who looks at footprints it is a write. */
    if (rt->active && rt->footprint)
        rt_footprint_add((uint64_t)b, HEAD, true, site);
    rt->heap_used -= b->size < rt->heap_used ? b->size : rt->heap_used;
    queue_put(heap_now(), b);
}

/* ---- restart ---- */

/* What a run used and the snapshot did not. */
static void wipe(uint64_t from, uint64_t to)
{
    if (to - from > (UINT64_C(1) << 20)) {
        uint64_t page = (from + 4095) & ~UINT64_C(4095);
        memset((void *)from, 0, page - from);
        rt_sys(SYS_madvise, (long)page, (long)(to - page), MADV_DONTNEED);
        return;
    }
    memset((void *)from, 0, to - from);
}

void rt_heap_saved(void)
{
    const rt_heap *h = &rt->main_heap;
    size_t size = h->top - h->base;
    rt->main_heap_saved = rt_saved_alloc(size + 1);
    memcpy(rt->main_heap_saved, (const void *)h->base, size);
    rt->heap_used_at_start = rt->heap_used;
}

void rt_heap_restore(void)
{
    for (uint32_t i = 0; i < rt->n_threads; i++) {
        const rt_heap *h = &rt->threads[i].heap;
        uint64_t from = i == 0 ? rt->main_heap.top : h->base;
        if (h->top > from)
            wipe(from, h->top);
    }
    const rt_heap *h = &rt->main_heap;
    memcpy((void *)h->base, rt->main_heap_saved, h->top - h->base);
    if (rt->big_heap.top > PLAN_BIG_HEAP)
        wipe(PLAN_BIG_HEAP, rt->big_heap.top);
    rt->big_heap.top = PLAN_BIG_HEAP;
    rt->heap_used = rt->heap_used_at_start;
    rt->gap_memory = false;
    rt->threads[0].heap = rt->main_heap;
}

/* ---- the C library's names ---- */

RT_EXPORT void *malloc(size_t size)
{
    bool fresh;
    if (!rt_controlled)
        return __libc_malloc(size);
    void *p = allocate(size, &fresh);
    if (!p)
        errno = ENOMEM;
    return p;
}

static void free_at(void *p, uint32_t site)
{
    if (!p)
        return;
    if (ours(p))
        release(p, site);
    else
        __libc_free(p);
}

RT_EXPORT void free(void *p)
{
    free_at(p, 0);
}

/* The same with the place of the call. */
RT_API void __treadle_free(void *p);
void __treadle_free(void *p)
{
    uint32_t site = rt_controlled ? rt_call_site() : 0;
    const block *b = rt_on() && ours(p) && ((uint64_t)p & 15) == 0 ? block_of(p) : NULL;
    if (b && b->mark == LIVE)
        rt_sync_free((uint64_t)p, (uint64_t)p + b->size, site);
    free_at(p, site);
}

RT_EXPORT void *calloc(size_t n, size_t size)
{
    bool fresh;
    size_t bytes;
    if (!rt_controlled)
        return __libc_calloc(n, size);
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    void *p = allocate(bytes, &fresh);
    if (!p)
        errno = ENOMEM;
    else if (!fresh)
        memset(p, 0, bytes);
    return p;
}

RT_EXPORT void *realloc(void *p, size_t size)
{
    if (!rt_controlled && !ours(p))
        return __libc_realloc(p, size);
    if (!p)
        return malloc(size);
    if (size == 0) {
        free(p);
        return NULL;
    }
    size_t old = malloc_usable_size(p);
    void *q = malloc(size);
    if (!q)
        return NULL;
    size_t kept = old < size ? old : size;
    if (rt_on())
        rt_access_copied((uint64_t)p, kept);
    memcpy(q, p, kept);
    if (rt_on())
        rt_sym_copy((uint64_t)q, (uint64_t)p, kept);
    free(p);
    return q;
}

RT_EXPORT void *reallocarray(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(p, bytes);
}

RT_EXPORT void *memalign(size_t align, size_t size)
{
    bool fresh;
    if (!rt_controlled)
        return __libc_memalign(align, size);
    if (align <= 16)
        return malloc(size);
    uint8_t *p = allocate(size + align + HEAD, &fresh);
    if (!p) {
        errno = ENOMEM;
        return NULL;
    }
    uint64_t at = ((uint64_t)p + HEAD + align - 1) & ~(uint64_t)(align - 1);
    *(block *)(at - HEAD) =
        (block){.mark = LIVE, .class = UINT32_MAX, .size = (uint64_t)p};
    return (void *)at;
}

RT_EXPORT void *aligned_alloc(size_t align, size_t size)
{
    return memalign(align, size);
}

RT_EXPORT int posix_memalign(void **out, size_t align, size_t size)
{
    if (align < sizeof(void *) || (align & (align - 1)) != 0)
        return EINVAL;
    void *p = memalign(align, size);
    if (!p)
        return ENOMEM;
    *out = p;
    return 0;
}

RT_EXPORT void *valloc(size_t size)
{
    return memalign(4096, size);
}

RT_EXPORT void *pvalloc(size_t size)
{
    return memalign(4096, (size + 4095) & ~(size_t)4095);
}

RT_EXPORT size_t malloc_usable_size(void *p)
{
    if (!p)
        return 0;
    if (!ours(p)) {
        /* The C library keeps the size, with three flags, in the word before the block. */
        size_t chunk = ((const size_t *)p)[-1];
        return (chunk & ~(size_t)7) - (chunk & 2 ? 16 : 8);
    }
    const block *b = block_of(p);
    return b->mark == LIVE ? b->size - ((uint64_t)p - (uint64_t)b - HEAD) : 0;
}
