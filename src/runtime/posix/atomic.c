/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic accesses and atomic sections. */
#include "runtime/memory/accesses.h"

#include <string.h>

#include "runtime/core/store_list.h"
#include "runtime/core/weaker_order.h"
#include "runtime/posix/posix.h"
#include "runtime/symbolic/values.h"

/* A new segment keeps what follows the fence apart from what came before. */
static void fence(uint8_t order, uint32_t site)
{
    order = rt_weaker_order(WIRE_FENCE, order, site);
    if (order == __ATOMIC_RELAXED)
        return;
    if (rt->keeps_stores) {
        rt_op *op = rt_op_new(WIRE_FENCE, site, 0);
        op->order = order;
        op->flags = WIRE_F_FORCED;
        rt_operation();
        return;
    }
    rt_fence(rt->self, order);
    rt_segment_start(rt->self);
    rt_segment_show(rt->self);
}

static uint8_t kind_of(uint32_t access)
{
    static const uint8_t kinds[] = {WIRE_LOAD, WIRE_STORE, WIRE_RMW, WIRE_CAS};
    return kinds[access & 3];
}

/* ---- objects that no granule holds ---- */

/* The object of an operation lies in one granule: for a larger one that is its start. Threads that use it
 * access it as a whole; the rest only matters for accesses by another address. */
static uint32_t start_size(uint64_t p, uint64_t size)
{
    RT_ASSERT(size > 0);
    uint64_t most = WIRE_GRANULE - p % WIRE_GRANULE;
    return (uint32_t)(size < most ? size : most);
}

/* Objects that no granule holds must not overlap others: their operations would not be seen to
 * depend on each other. */
static void note_large(uint64_t p, uint64_t size, uint32_t site)
{
    bool is_known = false;
    for (uint32_t i = 0; i < rt->n_large; i++) {
        const rt_range *r = &rt->large[i];
        is_known |= r->start == p && r->end == p + size;
        if ((r->start != p || r->end != p + size) && p < r->end && r->start < p + size)
            rt_gap_once(WIRE_GAP_UNWATCHED, site, "atomic objects overlap");
    }
    if (is_known || start_size(p, size) == size)
        return;
    if (rt->n_large == RT_LARGE)
        rt_gap_once(WIRE_GAP_UNWATCHED, site, "too many large atomic objects");
    else
        rt->large[rt->n_large++] = (rt_range){.start = p, .end = p + size};
    RT_ASSERT(rt->n_large <= RT_LARGE);
}

/* ---- operations ---- */

/* Operands of an access; the halves of 16 bytes. */
typedef struct operands {
    uint64_t a, b, a_high;
} operands;

/* An instruction of the program. */
static void check_large(uint64_t p, uint32_t what, const wire_site *s)
{
    if (rt->n_large)
        note_large(p, (uint8_t)(what >> 8), rt_site_number((uint64_t)s));
}

static void atomic_operation(uint64_t p, uint32_t what, operands with, uint32_t site)
{
    uint32_t access = what & 0xff;
    uint8_t size = (uint8_t)(what >> 8);
    rt->last_address = p;
    rt->last_site = site;
    /* A bad address faults here, in the thread that uses it. */
    rt_peek(p, size);
    rt_op *op = rt_op_new(kind_of(access), site, p);
    op->size = size;
    op->order = rt_weaker_order(op->kind, (uint8_t)(what >> 16), site);
    op->rmw = (uint8_t)(what >> 24);
    if (op->kind == WIRE_CAS) /* the order if it fails */
        op->rmw = rt_weaker_order(WIRE_CAS_FAIL, op->rmw, site);
    op->a = with.a;
    op->b = with.b;
    op->a_high = with.a_high;
    rt_operation();
    rt_access_atomic(p, size, mdl_effect_of(rt->self->did) == MDL_EFFECT_E, site);
    if (rt->flow && access != WIRE_ATOMIC_STORE)
        rt_reads_read(p, size, site);
}

RT_EXPORT void __treadle_atomic(void *p, uint32_t what, uint64_t a, uint64_t b,
                                const wire_site *s)
{
    if (!rt_on())
        return;
    if ((what & 0xff) == WIRE_ATOMIC_FENCE) {
        fence((uint8_t)(what >> 16), rt_site_number((uint64_t)s));
        return;
    }
    check_large((uint64_t)p, what, s);
    rt->self->called_at = (uint64_t)__builtin_frame_address(0);
    atomic_operation((uint64_t)p, what, (operands){.a = a, .b = b},
                     rt_site_number((uint64_t)s));
}

RT_EXPORT void __treadle_atomic_wide(void *p, uint32_t what, uint64_t a, uint64_t a_high,
                                     uint64_t b, const wire_site *s)
{
    if (!rt_on())
        return;
    check_large((uint64_t)p, what, s);
    rt->self->called_at = (uint64_t)__builtin_frame_address(0);
    atomic_operation((uint64_t)p, what, (operands){.a = a, .b = b, .a_high = a_high},
                     rt_site_number((uint64_t)s));
}

void rt_atomic_set(uint8_t *byte, uint8_t value, uint8_t order, uint32_t site)
{
    RT_ASSERT(rt_on());
    atomic_operation((uint64_t)byte, WIRE_ATOMIC(WIRE_ATOMIC_STORE, 1, order, 0),
                     (operands){.a = value}, site);
    *byte = value;
}

/* ---- libatomic's generic calls: objects of any size ---- */

/* A call that works on an atomic object, and on plain ones of its size. */
typedef struct generic {
    void *p;
    size_t size;
    uint32_t site;
} generic;

/* value: what is stored or exchanged; NULL: nothing, or not known beforehand. */
static void do_generic(const generic *g, uint32_t access, int order, const void *value)
{
    uint64_t p = (uint64_t)g->p;
    if (!rt_on() || g->size == 0)
        return;
    uint32_t n = start_size(p, g->size);
    if (n < g->size)
        note_large(p, g->size, g->site);
    operands with = {0};
    bool is_whole = n == g->size && n <= sizeof with.a;
    if (value && is_whole)
        memcpy(&with.a, value, n);
    uint32_t rmw = 0;
    if (access == WIRE_ATOMIC_RMW)
        rmw = value && is_whole ? WIRE_RMW_XCHG : WIRE_RMW_OTHER;
    atomic_operation(p, WIRE_ATOMIC(access, n, order, rmw), with, g->site);
    rt->self->spin.changes += !is_whole; /* no loop is seen to wait for so much */
    if (g->size > n)
        rt_access_atomic(p + n, g->size - n, access != WIRE_ATOMIC_LOAD, g->site);
}

static void plain(const generic *g, const void *p, bool is_write)
{
    if (rt_on())
        rt_access((uint64_t)p, g->size, is_write, g->site);
}

static generic generic_at(void *p, size_t size)
{
    return (generic){p, size, rt_on() ? rt_call_site() : 0};
}

static void move_labels(void *to, const void *from, size_t size)
{
    if (rt_on())
        rt_sym_copy((uint64_t)to, (uint64_t)from, size);
}

/* Started by hand, real threads need a real lock. */
static uint32_t by_hand_lock;

static void by_hand_take(void)
{
    while (!rt_controlled && __atomic_exchange_n(&by_hand_lock, 1, __ATOMIC_ACQUIRE))
        continue;
}

static void by_hand_drop(void)
{
    if (!rt_on())
        __atomic_store_n(&by_hand_lock, 0, __ATOMIC_RELEASE);
}

RT_API void __treadle___atomic_load(size_t size, void *p, void *out, int order);
void __treadle___atomic_load(size_t size, void *p, void *out, int order)
{
    const generic g = generic_at(p, size);
    do_generic(&g, WIRE_ATOMIC_LOAD, order, NULL);
    plain(&g, out, true);
    by_hand_take();
    memcpy(out, p, size);
    move_labels(out, p, size);
    by_hand_drop();
}

RT_API void __treadle___atomic_store(size_t size, void *p, void *value, int order);
void __treadle___atomic_store(size_t size, void *p, void *value, int order)
{
    const generic g = generic_at(p, size);
    plain(&g, value, false);
    do_generic(&g, WIRE_ATOMIC_STORE, order, value);
    by_hand_take();
    memcpy(p, value, size);
    move_labels(p, value, size);
    by_hand_drop();
}

RT_API void __treadle___atomic_exchange(size_t size, void *p, void *value, void *out,
                                        int order);
void __treadle___atomic_exchange(size_t size, void *p, void *value, void *out, int order)
{
    const generic g = generic_at(p, size);
    plain(&g, value, false);
    do_generic(&g, WIRE_ATOMIC_RMW, order, value);
    plain(&g, out, true);
    by_hand_take();
    memcpy(out, p, size);
    move_labels(out, p, size);
    memcpy(p, value, size);
    move_labels(p, value, size);
    by_hand_drop();
}

RT_API _Bool __treadle___atomic_compare_exchange(size_t size, void *p, void *expected,
                                                 void *desired, int ok, int failed);
_Bool __treadle___atomic_compare_exchange(size_t size, void *p, void *expected,
                                          void *desired, int ok, int failed)
{
    const generic g = generic_at(p, size);
    plain(&g, expected, false);
    plain(&g, desired, false);
    do_generic(&g, WIRE_ATOMIC_RMW, ok, NULL);
    by_hand_take();
    bool same = memcmp(p, expected, size) == 0;
    if (!same)
        plain(&g, expected, true);
    void *to = same ? p : expected, *from = same ? desired : p;
    memcpy(to, from, size);
    move_labels(to, from, size);
    by_hand_drop();
    return same;
}

/* ---- sections ---- */

static void section(uint8_t kind)
{
    if (!rt_on())
        return;
    rt_op_new(kind, rt_call_site(), WIRE_OBJECT_ATOMIC);
    rt_operation();
}

RT_API void __treadle___VERIFIER_atomic_begin(void);
void __treadle___VERIFIER_atomic_begin(void)
{
    section(WIRE_ATOMIC_BEGIN);
}

RT_API void __treadle___VERIFIER_atomic_end(void);
void __treadle___VERIFIER_atomic_end(void)
{
    section(WIRE_ATOMIC_END);
}
