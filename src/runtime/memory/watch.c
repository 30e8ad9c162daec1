/* SPDX-License-Identifier: Apache-2.0 */
/* Memory errors: accesses outside live blocks of the heap, or to stacks that no longer exist, and frees of
 * addresses that are not blocks.
 *
 * This costs the inlined checks nothing. They let an access pass only if its segment accessed the same bytes
 * before; the first one comes here, and free removes all bytes of the block from the shadow (race.c). So
 * each segment's first access to each byte is checked. */
#include "runtime/memory/accesses.h"

#include "runtime/core/sys.h"

#define NEAR 4096u /* bytes from a block that still have to do with it */

/* ---- blocks ---- */

static uint64_t block_end(const rt_block *b)
{
    return rt_block_start(b) + b->size;
}

/* How far an address is from a block; 0 inside. */
static uint64_t distance(const rt_block *b, uint64_t p)
{
    if (p < rt_block_start(b))
        return rt_block_start(b) - p;
    return p < block_end(b) ? 0 : p - block_end(b) + 1;
}

/* ---- records ---- */

/* One access that is wrong. */
typedef struct wrong {
    enum wire_memory what;
    uint64_t p, size;
    bool is_write;
    uint32_t thread, site;
} wrong;

static void note(const wrong *w)
{
    rt_flush();
    wire_rec *r = rt_emit(WIRE_NOTE_FAIL);
    r->size = WIRE_FAIL_MEMORY;
    r->order = (uint8_t)w->what;
    r->flags = w->is_write ? WIRE_FAILED_WRITE : 0;
    r->thread = w->thread;
    r->site = w->site;
    r->object = w->p;
    r->value = w->size;
}

static wire_rec *note_block(enum wire_block what, uint32_t thread, uint32_t site)
{
    wire_rec *r = rt_emit(WIRE_NOTE_BLOCK);
    r->size = (uint8_t)what;
    r->thread = thread;
    r->site = site;
    return r;
}

static void note_range(wire_rec *r, uint64_t start, uint64_t size)
{
    r->object = start;
    r->value = size;
}

/* Where races do not end the run the access is compared first, with what was done while the memory
 * was there: what follows in another order is explored then. */
static void compare_first(const wrong *w)
{
    if (rt->job.head.flags & WIRE_JOB_RACE_ON)
        rt_access_gone(w->p, w->size, w->is_write, w->site);
}

/* Compares the access with the free itself, if the job requests that. */
static void compare_free(const wrong *w, const rt_block *b)
{
    if ((rt->job.head.flags & WIRE_JOB_AFTER_FREE) && w->what == WIRE_MEMORY_ACCESS &&
        distance(b, w->p) == 0)
        rt_access_after_free(rt_block_past(b), w->p, w->size, w->is_write, w->site);
}

_Noreturn static void fail_block(const wrong *w, const rt_block *b)
{
    if (b && b->mark == RT_FREED) {
        compare_first(w);
        compare_free(w, b);
    }
    note(w);
    if (b) {
        rt_past past = {.made_site = b->made_site, .made_thread = b->made_thread};
        if (b->mark == RT_FREED)
            past = *rt_block_past(b);
        note_range(note_block(WIRE_BLOCK_MADE, past.made_thread, past.made_site),
                   rt_block_start(b), b->size);
        if (b->mark == RT_FREED)
            note_block(WIRE_BLOCK_FREED, rt_past_thread(&past), past.freed_site);
    }
    rt_fail_done(w->site, 0);
}

_Noreturn static void fail_owner(const wrong *w, const rt_thread *owner)
{
    compare_first(w);
    note(w);
    note_block(WIRE_BLOCK_OWNER, owner->id, owner->create_site);
    rt_fail_done(w->site, 0);
}

/* ---- the heap ---- */

static bool is_sound(const rt_block *b)
{
    return b && (b->mark == RT_LIVE || b->mark == RT_FREED);
}

/* Returns the block nearest to p: the one whose head is before p, or its neighbour on either side; NULL:
 * none is near. */
static const rt_block *nearest(uint64_t p)
{
    const rt_block *best = NULL;
    for (uint64_t at = p, i = 0; i < 2; i++) {
        const rt_block *b = rt_in_heaps(at) ? rt_block_before(at) : NULL;
        if (!b)
            break;
        if (is_sound(b) && (!best || distance(b, p) < distance(best, p)))
            best = b;
        at = (uint64_t)b - 1;
    }
    const rt_block *next = rt_block_before(p + 2 * sizeof(rt_block));
    if (is_sound(next) && (!best || distance(next, p) < distance(best, p)))
        best = next;
    return best && distance(best, p) <= NEAR ? best : NULL;
}

static void watch_heap(const wrong *w)
{
    const rt_block *b = rt_block_before(w->p);
    if (!is_sound(b) || b->mark != RT_LIVE || w->p < rt_block_start(b) ||
        w->p + w->size > block_end(b))
        fail_block(w, nearest(w->p));
    rt->known[rt->next_known++ % RT_KNOWN_BLOCKS] =
        (rt_range){.start = rt_block_start(b), .end = block_end(b)};
}

/* ---- stacks ---- */

/* The thread of this run whose slot that is, or NULL. */
static rt_thread *owner_of(uint32_t slot)
{
    uint32_t id = slot < PLAN_N_SLOTS ? rt->slot_thread[slot] : 0;
    return id == 0 ? NULL : &rt->threads[id - 1];
}

static void shown(rt_thread *owner, const wrong *w)
{
    if (owner->shown_end == 0)
        owner->shown_start = w->p;
    owner->shown_start = w->p < owner->shown_start ? w->p : owner->shown_start;
    owner->shown_end =
        w->p + w->size > owner->shown_end ? w->p + w->size : owner->shown_end;
}

static void watch_stack(wrong *w, rt_thread *owner)
{
    if (!owner || owner == rt->self)
        return;
    if (owner->state == RT_ENDED) {
        w->what = WIRE_MEMORY_STACK;
        fail_owner(w, owner);
    }
    /* A thread that switched to a stack of its own making is left alone. */
    bool at_home = owner->stack_at >= rt_stack_bottom(owner->slot) &&
                   owner->stack_at < rt_stack_top(owner->slot);
    if (at_home && w->p < owner->stack_at) {
        w->what = WIRE_MEMORY_FRAME;
        fail_owner(w, owner);
    }
    if (rt_left_has(owner, w->p, w->p + w->size)) {
        w->what = WIRE_MEMORY_LEFT;
        fail_owner(w, owner);
    }
    shown(owner, w);
}

/* Thread-local storage that was lent to a thread. */
static void watch_locals(wrong *w)
{
    for (uint32_t i = 0; i < rt->n_stacks; i++) {
        const rt_stack *s = &rt->stacks[i];
        if (w->p < s->tls_start || w->p >= s->tls_end || s->user == RT_NONE)
            continue;
        if (rt->threads[s->user].state == RT_ENDED) {
            w->what = WIRE_MEMORY_LOCALS;
            fail_owner(w, &rt->threads[s->user]);
        }
        return;
    }
}

/* ---- entries ---- */

static uint32_t slot_of(uint64_t p)
{
    return (uint32_t)((p - PLAN_SLOTS) / PLAN_SLOT_SIZE);
}

static void watch_at(wrong *w)
{
    if (w->p >= PLAN_STATE) {
        watch_locals(w);
        return;
    }
    if (plan_on_stack(w->p))
        watch_stack(w, owner_of(slot_of(w->p)));
    else
        watch_heap(w);
}

void rt_watch(uint64_t p, uint64_t size, bool is_write, uint32_t site)
{
    if (rt_watch_knows(p, size))
        return;
    if (p - PLAN_SLOTS >= PLAN_STATE + PLAN_STATE_SIZE - PLAN_SLOTS || size == 0)
        return;
    wrong w = {WIRE_MEMORY_ACCESS, p, size, is_write, rt->self->id, site};
    watch_at(&w);
}

/* Handles an address that malloc never returned: a call from the program's code gives a finding. */
static void free_elsewhere(const wrong *w)
{
    bool on_stack = plan_on_stack(w->p);
    const rt_thread *owner = on_stack ? owner_of(slot_of(w->p)) : NULL;
    if (owner)
        fail_owner(w, owner);
    fail_block(w, on_stack || !rt_in_heaps(w->p) ? NULL : nearest(w->p));
}

rt_block *rt_watch_free(uint64_t p, uint32_t site)
{
    rt_block *b = rt_in_heaps(p) ? rt_block_before(p) : NULL;
    bool is_block = is_sound(b) && rt_block_start(b) == p;
    if (is_block && b->mark == RT_LIVE)
        return b;
    if (!rt->active)
        return NULL;
    wrong w = {WIRE_MEMORY_FREE, p, 0, true, rt->self->id, site};
    if (is_block)
        fail_block(&w, b);
    free_elsewhere(&w);
    return NULL;
}

/* What others touched from start to end is gone now: an error if nothing orders that before. */
static void watch_left(rt_thread *t, uint64_t start, uint64_t end)
{
    rt_unordered other;
    start = start > t->shown_start ? start : t->shown_start;
    end = end < t->shown_end ? end : t->shown_end;
    if (start >= end)
        return;
    if (!rt_access_unordered(start, end, &other))
        return;
    wrong w = {.what = WIRE_MEMORY_LEFT,
               .p = other.address,
               .is_write = other.is_write,
               .thread = other.thread,
               .site = other.site};
    fail_owner(&w, t);
}

void rt_watch_operation(uint64_t sp)
{
    rt_thread *t = rt->self;
    if (t->shown_end == 0 || t->shown_start >= sp || sp < rt_stack_bottom(t->slot) ||
        sp >= rt_stack_top(t->slot))
        return;
    watch_left(t, t->shown_start, sp);
    t->shown_start = sp < t->shown_end ? sp : t->shown_end;
}

void rt_watch_caught(uint64_t sp)
{
    if (rt->trying)
        return;
    if (rt->self->shown_end)
        rt_watch_operation(sp);
    rt_left_put(rt_stack_bottom(rt->self->slot), sp);
}

RT_EXPORT void __treadle_slow_left(const void *p, uint64_t size)
{
    uint64_t start = (uint64_t)p, end = start + size;
    rt_thread *self = rt->self;
    if (!rt_on() || rt->trying || rt_is_only_thread())
        return;
    watch_left(self, size ? start : 0, end);
    if (size && (rt->job.head.flags & WIRE_JOB_ROUNDS)) /* explore/product/claims.c */
        rt_footprint_add(start, size, WIRE_TOUCH_FREES, 0);
    /* Where its size is not known, it lies above the frame of this call. */
    rt_left_put(size ? start : (uint64_t)__builtin_frame_address(0), end);
}

void rt_watch_end(void)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    rt_thread *t = rt->self;
    uint64_t bottom = rt_stack_bottom(t->slot), top = rt_stack_top(t->slot);
    rt_unordered other;
    if (rt->footprint)
        rt_footprint_add(bottom, top - bottom, WIRE_TOUCH_FREES, 0);
    if (t->shown_end == 0 || !rt_access_unordered(t->shown_start, t->shown_end, &other))
        return;
    wrong w = {.what = WIRE_MEMORY_ENDS,
               .p = other.address,
               .is_write = other.is_write,
               .thread = other.thread,
               .site = other.site};
    fail_owner(&w, t);
}

void rt_watch_reset(void)
{
    RT_ASSERT(!rt->active);
    PLAN_CTL->shown = 0;
    rt_watch_forget();
}
