/* SPDX-License-Identifier: Apache-2.0 */
/* Leaks: blocks of this run that are allocated when the process ends and that nothing points to.
 *
 * Any word counts as a pointer that holds an address of a block or just behind it: words of data
 * of the program and its libraries, of thread-local storage, of the stacks of threads that have
 * not ended, of arguments and environment, of blocks made before main, and of blocks that are
 * pointed to themselves. The run is over, so the marks of heads are free to be written. */
#include "runtime/memory/accesses.h"

#define REACHED 0x1c3u
#define TOLD 0x0f6u

/* The list of reached blocks goes through the place of what is known of freed ones. */
static rt_block **link_of(const rt_block *b)
{
    return (rt_block **)rt_block_past(b);
}

/* ---- reaching ---- */

static void reach(uint64_t word)
{
    rt_block *b = rt_in_heaps(word) ? rt_block_before(word) : NULL;
    if (!b || b->mark != RT_LIVE || word < rt_block_start(b) ||
        word > rt_block_start(b) + b->size)
        return;
    b->mark = REACHED;
    *link_of(b) = rt->leak_todo;
    rt->leak_todo = b;
}

static void scan(uint64_t start, uint64_t end)
{
    start = (start + 7) & ~UINT64_C(7);
    for (; start + 8 <= end; start += 8)
        reach(*(const uint64_t *)start);
}

static void scan_reached(void)
{
    while (rt->leak_todo) {
        rt_block *b = rt->leak_todo;
        rt->leak_todo = *link_of(b);
        scan(rt_block_start(b), rt_block_start(b) + b->size);
    }
}

/* What is pending of it, its result, its stack and its thread-local storage. */
static void scan_thread(const rt_thread *t)
{
    bool gone = t->state == RT_ENDED && (t->joined || t->detached);
    if (gone)
        return;
    scan((uint64_t)t, (uint64_t)&t->heap);
    if (t->state == RT_ENDED)
        return;
    bool is_left = t->sp && t->state != RT_FAILED; /* that may be on a signal's stack */
    uint64_t low = t == rt->self ? (uint64_t)__builtin_frame_address(0)
                   : is_left     ? (uint64_t)t->sp
                                 : t->stack_low;
    if (low >= rt_stack_bottom(t->slot) && low < rt_stack_top(t->slot))
        scan(low, rt_stack_top(t->slot));
    if (t->stack != RT_NONE)
        scan(rt->stacks[t->stack].tls_start, rt->stacks[t->stack].tls_end);
}

static void scan_roots(void)
{
    __builtin_unwind_init(); /* registers onto the stack */
    rt_snapshot_visit(scan);
    scan(rt->main_heap.base, rt->main_heap.top);
    for (int i = 0; i < 2; i++)
        scan(rt->words[i].start, rt->words[i].start + rt->words[i].size);
    for (uint32_t i = 0; i < rt->n_threads; i++)
        scan_thread(&rt->threads[i]);
    scan_reached();
}

/* ---- reporting ---- */

/* Calls visit for all blocks that this run made, of each heap from its end on. */
static void each_block(void (*visit)(rt_block *, void *), void *ctx)
{
    for (uint32_t i = 0; i <= rt->n_threads; i++) {
        const rt_heap *h = i < rt->n_threads ? &rt->threads[i].heap : &rt->big_heap;
        uint64_t start = i == 0 ? rt->main_heap.top : h->base;
        for (uint64_t at = h->top; at > start;) {
            rt_block *b = rt_block_before(at - 1);
            if (!b || (uint64_t)b < start)
                break;
            visit(b, ctx);
            at = (uint64_t)b;
        }
    }
}

/* The leaks of one site. */
typedef struct leaks {
    const rt_block *first;
    uint64_t n, bytes;
} leaks;

static void count(rt_block *b, void *ctx)
{
    leaks *l = ctx;
    bool is_leak = b->mark == RT_LIVE && b->made_site != 0;
    if (!is_leak || (l->first && l->first->made_site != b->made_site))
        return;
    l->first = b;
    l->n++;
    l->bytes += b->size;
    b->mark = TOLD;
}

static void tell(const leaks *l)
{
    rt_fail(WIRE_FAIL_LEAK, l->first->made_site, rt_block_start(l->first), l->n, NULL);
    wire_rec *r = rt_emit(WIRE_NOTE_BLOCK);
    r->size = WIRE_BLOCK_MADE;
    r->thread = l->first->made_thread;
    r->site = l->first->made_site;
    r->object = rt_block_start(l->first);
    r->value = l->bytes;
}

/* What calls before left on the stack would be in the frames of the runtime when they are scanned. */
__attribute__((noinline)) void rt_leaks_clear(void)
{
    volatile uint64_t dead[1024];
    for (size_t i = 0; i < sizeof dead / sizeof dead[0]; i++)
        dead[i] = 0;
}

void rt_leaks_end(rt_end *end)
{
    RT_ASSERT(rt->active);
    if (end->how != WIRE_DONE_EXIT || !(rt->job.head.flags & WIRE_JOB_LEAKS))
        return;
    rt->leak_todo = NULL;
    scan_roots();
    for (;;) {
        leaks l = {0};
        each_block(count, &l);
        if (l.n == 0)
            return;
        tell(&l);
    }
}
