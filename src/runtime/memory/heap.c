/* SPDX-License-Identifier: Apache-2.0 */
/* The heap of the whole process while it is under control.
 *
 * Every thread allocates from its own slot and reuses only blocks that it freed itself, oldest first:
 * an address depends on the thread's history, not on the schedule. Blocks wait in a queue before they
 * are reused, so that a use after free is not hidden at once. An allocator may also return the block
 * that the thread freed last: that is a choice, the first time that it is possible, in programs that
 * inspect addresses.
 *
 * With --reuse every thread may get a freed block, the last one first. Allocating and freeing in a
 * size class is then an operation on that class.
 *
 * A block is preceded by a head; heads are checked, because the program may have written over
 * them. Between two blocks there is at least a head, and the rest of the size class: accesses there
 * are errors (watch.c). Without treadle, everything goes to the C library. */
#include "runtime/memory/accesses.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/core/sys.h"
#include "runtime/symbolic/values.h"

#define HEAD sizeof(rt_block)
#define PLAIN_ALIGN 4u /* malloc's: 16 bytes */
#define QUARANTINE 32u /* freed blocks of a class that wait */

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
    RT_ASSERT(slot < PLAN_N_SLOTS);
    memset(h, 0, sizeof *h);
    h->base = rt_slot_base(slot) + rt_slot_colour(slot);
    h->end = rt_stack_bottom(slot) - PLAN_GUARD_SIZE;
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
    RT_ASSERT(h->base <= at && at <= h->end);
    if (bytes > h->end - at) {
        h = &rt->big_heap;
        at = h->top;
        if (bytes > h->end - at)
            return 0;
    }
    h->top = at + bytes;
    return at;
}

static bool over_limit(uint64_t size, uint32_t site)
{
    if (rt->heap_used + size <= rt->shm->heap_limit)
        return false;
    if (rt->active && !rt->gap_memory) {
        rt->gap_memory = true;
        rt_gap(WIRE_GAP_MEMORY, site, "malloc returned NULL");
    }
    return true;
}

static rt_block *queue_take(rt_heap *h, uint32_t class)
{
    if (class >= RT_CLASSES || h->waiting[class] <= QUARANTINE)
        return NULL;
    rt_block *b = (rt_block *)h->first[class];
    if (b->mark != RT_FREED)
        return NULL; /* written over: leave it alone */
    h->first[class] = b->next;
    h->waiting[class]--;
    return b;
}

/* The block that was freed last. */
static rt_block *queue_take_last(rt_heap *h, uint32_t class)
{
    RT_ASSERT(class < RT_CLASSES && h->waiting[class] > 0);
    rt_block *b = (rt_block *)h->last[class], *before = NULL;
    for (rt_block *p = (rt_block *)h->first[class]; p != b; p = (rt_block *)p->next) {
        if (p->mark != RT_FREED)
            return NULL; /* written over */
        before = p;
    }
    if (b->mark != RT_FREED)
        return NULL;
    if (before)
        before->next = 0;
    else
        h->first[class] = 0;
    h->last[class] = (uint64_t)before;
    h->waiting[class]--;
    return b;
}

/* ---- freed blocks that any thread may get ---- */

/* False for blocks that the C library allocates for itself. */
static bool is_everybodys(uint32_t class, uint32_t site)
{
    return rt->active && site != 0 && class < RT_CLASSES && rt->shm->reuse;
}

static void class_step(uint32_t class, uint32_t site)
{
    RT_ASSERT(class < RT_CLASSES && site != 0);
    bool is_step = rt_shared_step(WIRE_SET, site, WIRE_OBJECT_CLASS(class));
    /* Addresses that flow through it are not followed. */
    if (is_step && (rt->reads || rt->flow))
        rt_gap_once(WIRE_GAP_CONCRETE, site, "an address that is used again");
}

/* C17, 7.22.3: the free synchronizes with the next allocation of the block. */
static void pile_put(rt_block *b)
{
    rt_clock_copy(&rt_object_at((uint64_t)b)->clock, &rt->self->clock);
    b->mark = RT_FREED;
    b->next = rt->reusable[b->class];
    rt->reusable[b->class] = (uint64_t)b;
}

static rt_block *pile_take(uint32_t class, uint32_t site)
{
    class_step(class, site);
    rt_block *b = (rt_block *)rt->reusable[class];
    if (!b || b->mark != RT_FREED)
        return NULL;
    rt->reusable[class] = b->next;
    rt_clock_join(&rt->self->clock, &rt_object_at((uint64_t)b)->clock);
    return b;
}

/* ---- using a block again ---- */

/* True if the thread gets the block at once. Only in programs with threads, and not before they exist: most
 * of what main does before, no thread compares. */
static bool gets_it_at_once(const rt_heap *h, uint32_t class, uint32_t site)
{
    if (!(rt->uses & WIRE_USES_ADDRESSES) || !rt->active || site == 0 ||
        class >= RT_CLASSES || h->waiting[class] == 0 || rt->self->asked_reuse ||
        (rt_is_only_thread() && !rt->alone))
        return false;
    rt->self->asked_reuse = true;
    return rt_choice("address used again", site);
}

/* A freed block of the class, or NULL. */
static rt_block *take_again(rt_heap *h, uint32_t class, uint32_t site)
{
    if (is_everybodys(class, site))
        return pile_take(class, site);
    rt_block *b = gets_it_at_once(h, class, site) ? queue_take_last(h, class) : NULL;
    return b ? b : queue_take(h, class);
}

/* A large block is not used again: its memory goes back, its addresses do not. */
static void drop_pages(const rt_block *b, uint64_t size)
{
    uint64_t from = ((uint64_t)b + HEAD + 4095) & ~UINT64_C(4095);
    uint64_t to = ((uint64_t)b + HEAD + size) & ~UINT64_C(4095);
    if (to > from)
        rt_sys(SYS_madvise, (long)from, (long)(to - from), MADV_DONTNEED);
}

static void queue_put(rt_heap *h, rt_block *b)
{
    uint32_t class = b->class;
    b->mark = RT_FREED;
    b->next = 0;
    if (class >= RT_CLASSES) {
        drop_pages(b, b->size);
        return;
    }
    if (h->waiting[class]++ == 0)
        h->first[class] = (uint64_t)b;
    else
        ((rt_block *)h->last[class])->next = (uint64_t)b;
    h->last[class] = (uint64_t)b;
}

/* What a block takes behind its head. */
static uint64_t room_of(uint32_t class, uint64_t size)
{
    return class < RT_CLASSES ? class_size(class) : (size + 15) & ~15ull;
}

static void describe(rt_block *b, uint64_t size, uint32_t align, uint32_t site)
{
    b->mark = RT_LIVE;
    b->size = size;
    b->align = align & 63;
    b->made_site = site;
    b->made_thread = rt->active ? rt->self->id : 0;
}

/* *fresh: the memory is still zero. align: as in rt_block. */
static void *allocate(uint64_t size, uint32_t align, uint32_t site, bool *fresh)
{
    if (size >= (UINT64_C(1) << 40) || over_limit(size, site))
        return NULL;
    rt_changed();
    rt_heap *h = heap_now();
    uint64_t more = align > PLAIN_ALIGN ? UINT64_C(1) << align : 0;
    uint32_t class = class_of(size + more);
    rt_block *b = take_again(h, class, site);
    *fresh = b == NULL;
    const rt_block before = b ? *b : (rt_block){0};
    uint64_t old = b ? rt_block_start(b) : 0;
    if (!b) {
        b = (rt_block *)carve(h, room_of(class, size + more) + HEAD);
        if (!b)
            return NULL;
        rt_block_add(b);
    }
    b->class = (uint8_t) class;
    describe(b, size, align, site);
    rt->heap_used += size;
    uint64_t start = rt_block_start(b);
    RT_ASSERT(start % 16 == 0);
    if (!*fresh) {
        rt_access_reused(old, before.size, start, start + size);
        rt_sym_forget(start, size);
    }
    return (void *)start;
}

static void release(void *p, uint32_t site)
{
    rt_changed();
    rt_block *b = rt_watch_free((uint64_t)p, site);
    if (b && rt->active && site != 0) {
        /* That may be an operation: the block can be gone after it. */
        rt_sync_free((uint64_t)p, (uint64_t)p + b->size, site);
        b = rt_watch_free((uint64_t)p, site);
    }
    bool is_shared = b && is_everybodys(b->class, site);
    if (is_shared) {
        class_step(b->class, site);
        b = rt_watch_free((uint64_t)p, site);
    }
    if (!b)
        return;
    if (rt->active) {
        /* With its head and all its room, so that neighbours make one range. */
        if (rt->footprint)
            rt_footprint_add((uint64_t)b, HEAD + room_of(b->class, b->size),
                             WIRE_TOUCH_FREES, site);
        rt_access_freed((uint64_t)p, b->size > 0 ? b->size : 1, site);
        *rt_block_past(b) =
            (rt_past){b->made_site, b->made_thread, site, rt->self->segment};
    }
    rt_watch_forget();
    rt->heap_used -= b->size < rt->heap_used ? b->size : rt->heap_used;
    if (is_shared)
        pile_put(b);
    else
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

static void drop(uint64_t from, uint64_t to)
{
    RT_ASSERT(from <= to);
    wipe(from, to);
    rt_blocks_forget(from, to);
}

void rt_heap_saved(void)
{
    RT_ASSERT(!rt->active);
    const rt_heap *h = &rt->main_heap;
    size_t size = h->top - h->base;
    rt->main_heap_saved = rt_saved_alloc(size + 1);
    memcpy(rt->main_heap_saved, (const void *)h->base, size);
    rt->heap_used_at_start = rt->heap_used;
}

void rt_heap_restore(void)
{
    RT_ASSERT(!rt->active && rt->main_heap_saved);
    for (uint32_t i = 0; i < rt->n_threads; i++) {
        const rt_heap *h = &rt->threads[i].heap;
        uint64_t from = i == 0 ? rt->main_heap.top : h->base;
        if (h->top > from)
            drop(from, h->top);
    }
    const rt_heap *h = &rt->main_heap;
    memcpy((void *)h->base, rt->main_heap_saved, h->top - h->base);
    if (rt->big_heap.top > PLAN_BIG_HEAP)
        drop(PLAN_BIG_HEAP, rt->big_heap.top);
    rt->big_heap.top = PLAN_BIG_HEAP;
    memset(rt->reusable, 0, sizeof rt->reusable);
    rt->heap_used = rt->heap_used_at_start;
    rt->gap_memory = false;
    rt->threads[0].heap = rt->main_heap;
}

/* ---- what the functions do, with the place of the call ---- */

static void *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

static void *malloc_at(size_t size, uint32_t site)
{
    bool fresh;
    void *p = allocate(size, PLAIN_ALIGN, site, &fresh);
    return p ? p : no_memory();
}

#define CALLOC_WATCHED 4096u /* bytes */

static void *calloc_at(size_t n, size_t size, uint32_t site)
{
    bool fresh;
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        return no_memory();
    void *p = allocate(bytes, PLAIN_ALIGN, site, &fresh);
    if (!p)
        return no_memory();
    /* A thread that gets the block without synchronisation may read its old contents. Larger blocks come
     * from the system empty. */
    if (rt->active && site != 0 && bytes <= CALLOC_WATCHED)
        rt_access_made((uint64_t)p, bytes, site);
    return fresh ? p : memset(p, 0, bytes);
}

/* Before a run a library may free what the C library allocated. */
static void free_at(void *p, uint32_t site)
{
    if (!p)
        return;
    if (ours(p) || (site != 0 && rt->active))
        release(p, site);
    else
        __libc_free(p);
}

static void *realloc_at(void *p, size_t size, uint32_t site)
{
    if (!p)
        return malloc_at(size, site);
    rt_block *b = rt_watch_free((uint64_t)p, site);
    if (size == 0) {
        free_at(p, site);
        return NULL;
    }
    size_t old = b ? b->size : 0;
    void *q = malloc_at(size, site);
    if (!q)
        return NULL;
    size_t kept = old < size ? old : size;
    if (rt_on())
        rt_access_copied((uint64_t)p, kept);
    memcpy(q, p, kept);
    if (rt_on())
        rt_sym_copy((uint64_t)q, (uint64_t)p, kept);
    free_at(p, site);
    return q;
}

static uint32_t log_of(size_t align)
{
    uint32_t log = PLAIN_ALIGN;
    while (log < 40 && (UINT64_C(1) << log) < align)
        log++;
    return log;
}

static void *memalign_at(size_t align, size_t size, uint32_t site)
{
    bool fresh;
    if (align > (UINT64_C(1) << 39))
        return no_memory();
    void *p = allocate(size, log_of(align), site, &fresh);
    return p ? p : no_memory();
}

static int posix_memalign_at(void **out, size_t align, size_t size, uint32_t site)
{
    if (align < sizeof(void *) || (align & (align - 1)) != 0)
        return EINVAL;
    int before = errno;
    void *p =
        rt_controlled ? memalign_at(align, size, site) : __libc_memalign(align, size);
    errno = before;
    if (!p)
        return ENOMEM;
    *out = p;
    return 0;
}

/* ---- the C library's names ---- */

/* Where new or delete was called, if one of them calls. */
static uint32_t operator_site(void)
{
    return rt_on() ? rt->self->cxx_site : 0;
}

RT_EXPORT void *malloc(size_t size)
{
    return rt_controlled ? malloc_at(size, operator_site()) : __libc_malloc(size);
}

RT_EXPORT void free(void *p)
{
    free_at(p, operator_site());
}

RT_EXPORT void *calloc(size_t n, size_t size)
{
    return rt_controlled ? calloc_at(n, size, 0) : __libc_calloc(n, size);
}

RT_EXPORT void *realloc(void *p, size_t size)
{
    if (!rt_controlled || (p && !ours(p)))
        return __libc_realloc(p, size);
    return realloc_at(p, size, 0);
}

RT_EXPORT void *reallocarray(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        return no_memory();
    return realloc(p, bytes);
}

RT_EXPORT void *memalign(size_t align, size_t size)
{
    return rt_controlled ? memalign_at(align, size, 0) : __libc_memalign(align, size);
}

RT_EXPORT void *aligned_alloc(size_t align, size_t size)
{
    return memalign(align, size);
}

RT_EXPORT int posix_memalign(void **out, size_t align, size_t size)
{
    return posix_memalign_at(out, align, size, 0);
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
    const rt_block *b = rt_block_before((uint64_t)p);
    return b && b->mark == RT_LIVE && rt_block_start(b) == (uint64_t)p ? b->size : 0;
}

/* ---- the same, called by the program: the place of the call is known ---- */

RT_API void *__treadle_malloc(size_t size);
void *__treadle_malloc(size_t size)
{
    return rt_controlled ? malloc_at(size, rt_call_site()) : __libc_malloc(size);
}

RT_API void __treadle_free(void *p);
void __treadle_free(void *p)
{
    free_at(p, rt_controlled ? rt_call_site() : 0);
}

RT_API void *__treadle_calloc(size_t n, size_t size);
void *__treadle_calloc(size_t n, size_t size)
{
    return rt_controlled ? calloc_at(n, size, rt_call_site()) : __libc_calloc(n, size);
}

RT_API void *__treadle_realloc(void *p, size_t size);
void *__treadle_realloc(void *p, size_t size)
{
    return rt_controlled ? realloc_at(p, size, rt_call_site()) : __libc_realloc(p, size);
}

RT_API void *__treadle_reallocarray(void *p, size_t n, size_t size);
void *__treadle_reallocarray(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        rt_call_site();
        return no_memory();
    }
    return __treadle_realloc(p, bytes);
}

RT_API void *__treadle_aligned_alloc(size_t align, size_t size);
void *__treadle_aligned_alloc(size_t align, size_t size)
{
    return rt_controlled ? memalign_at(align, size, rt_call_site())
                         : __libc_memalign(align, size);
}

RT_API void *__treadle_memalign(size_t align, size_t size);
void *__treadle_memalign(size_t align, size_t size)
{
    return __treadle_aligned_alloc(align, size);
}

RT_API int __treadle_posix_memalign(void **out, size_t align, size_t size);
int __treadle_posix_memalign(void **out, size_t align, size_t size)
{
    uint32_t site = rt_controlled ? rt_call_site() : 0;
    int failed = posix_memalign_at(out, align, size, site);
    if (!failed && rt_on())
        rt_access((uint64_t)out, sizeof *out, true, site);
    return failed;
}
