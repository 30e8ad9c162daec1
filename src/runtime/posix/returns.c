/* SPDX-License-Identifier: Apache-2.0 */
/* Uninstrumented code that runs while self is alone (rt_is_alone) does nothing that another thread
 * could observe, so it is not a gap. It may call the program back, as test runners do, and the
 * program may then create threads. Until they are joined, the program must not return into that code:
 * it would run unchecked beside them.
 *
 * So when the first thread is made, the return address of the program's outermost function above such code is
 * replaced by rt_return_entry (process/returns.S). A return there while other threads exist, or an
 * exception that passes there, is a gap. Once self is alone again, the address is restored. Unwinders
 * see through it: the original address is in the control page. */
#include "runtime/posix/posix.h"

#include <stddef.h>
#include <unwind.h>

#include "runtime/core/returns.h"

RT_HIDDEN extern const char rt_return_entry[];
RT_HIDDEN uint64_t rt_return_came(void);
RT_HIDDEN _Unwind_Reason_Code rt_return_passed(int version, _Unwind_Action actions,
                                               _Unwind_Exception_Class class,
                                               struct _Unwind_Exception *exception,
                                               struct _Unwind_Context *context);

static_assert(offsetof(plan_control, return_to) == RT_RETURN_TO, "returns.S has it");

/* C programs may come without an unwinder: real.c finds it. */
typedef struct unwinder {
    _Unwind_Reason_Code (*trace)(_Unwind_Trace_Fn step, void *data);
    _Unwind_Word (*cfa)(struct _Unwind_Context *context);
    _Unwind_Ptr (*ip)(struct _Unwind_Context *context);
    _Unwind_Ptr (*start)(struct _Unwind_Context *context);
} unwinder;

/* Kept outside rt: it is the same in all runs. */
static unwinder unwind;

void rt_returns_prepare(void *(*find)(const char *name))
{
    unwind.trace =
        (_Unwind_Reason_Code(*)(_Unwind_Trace_Fn, void *))find("_Unwind_Backtrace");
    unwind.cfa = (_Unwind_Word(*)(struct _Unwind_Context *))find("_Unwind_GetCFA");
    unwind.ip = (_Unwind_Ptr(*)(struct _Unwind_Context *))find("_Unwind_GetIP");
    unwind.start =
        (_Unwind_Ptr(*)(struct _Unwind_Context *))find("_Unwind_GetRegionStart");
}

void rt_unwatched_start(void)
{
    rt->entered_alone = false;
    rt->return_slot = 0;
    PLAN_CTL->call_site = 0; /* what ran before may have left one */
}

static void gap(uint32_t site, uint64_t address)
{
    char name[128];
    rt_foreign_name(address, name, sizeof name);
    rt_gap_once(WIRE_GAP_UNWATCHED, site, name);
}

/* ---- the stack ---- */

/* True if the return address is in the word below the caller's frame. */
#if defined(__x86_64__)
#define RETURNS_BY_STACK true
#else
#define RETURNS_BY_STACK false
#endif

typedef struct walk {
    uint64_t slot, to, start; /* the return to intercept; 0: none */
    bool has_program;         /* instrumented code was found before it */
    bool is_whole;            /* all frames up to what called main were seen */
} walk;

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *data)
{
    walk *w = data;
    uint64_t sp = unwind.cfa(context); /* stack pointer of this frame at its call */
    if (sp < rt->self->called_at)
        return _URC_NO_REASON; /* the runtime */
    if (sp >= rt->main_sp) {
        w->is_whole = true;
        return _URC_END_OF_STACK;
    }
    uint64_t start = unwind.start(context), to = unwind.ip(context);
    w->has_program = w->has_program || rt_is_instrumented(start);
    if (start == (uint64_t)rt_user_call || (start && rt_foreign_is_known(start)))
        return _URC_NO_REASON;
    w->slot = sp - 8;
    w->to = to;
    w->start = start;
    w->is_whole = *(const uint64_t *)w->slot == to;
    return _URC_END_OF_STACK;
}

/* Where return addresses are not on the stack nothing is followed, and the walk is not whole. */
static walk walk_stack(void)
{
    walk w = {0};
    bool active = rt->active;
    if (!RETURNS_BY_STACK || !unwind.trace || !unwind.cfa || !unwind.ip ||
        !unwind.start || rt->self->id)
        return w;
    uint64_t site = PLAN_CTL->call_site;
    rt->active = false; /* nothing in there is an operation, or a call of the program */
    unwind.trace(step, &w);
    rt->active = active;
    PLAN_CTL->call_site = site;
    return w;
}

void rt_return_watch(uint32_t site)
{
    if (!rt_is_alone() || !rt->entered_alone)
        return;
    walk w = walk_stack();
    if (!w.is_whole) {
        rt_gap_once(WIRE_GAP_UNWATCHED, site, "code below on the stack");
    } else if (w.slot && !w.has_program) {
        gap(site, w.start); /* it makes the thread itself, and continues */
    } else if (w.slot) {
        RT_ASSERT(!rt->return_slot);
        rt->return_slot = w.slot;
        rt->return_site = site;
        PLAN_CTL->return_to = w.to;
        *(uint64_t *)w.slot = (uint64_t)rt_return_entry;
    }
}

static _Unwind_Reason_Code find(struct _Unwind_Context *context, void *data)
{
    bool *is_there = data;
    *is_there = unwind.cfa(context) - 8 == rt->return_slot &&
                unwind.ip(context) == (uint64_t)rt_return_entry;
    return *is_there || unwind.cfa(context) > rt->return_slot ? _URC_END_OF_STACK
                                                              : _URC_NO_REASON;
}

/* True if the function that was to return has not been left by longjmp. Only the thread itself can decide
 * that for certain. */
static bool has_stayed(void)
{
    bool is_there = *(const uint64_t *)rt->return_slot == (uint64_t)rt_return_entry;
    bool active = rt->active;
    if (!is_there || rt->self->id != 0)
        return is_there;
    uint64_t site = PLAN_CTL->call_site;
    rt->active = false;
    unwind.trace(find, &is_there);
    rt->active = active;
    PLAN_CTL->call_site = site;
    return is_there;
}

void rt_return_check(void)
{
    if (!rt->return_slot || has_stayed())
        return;
    rt->return_slot = 0;
    gap(rt->return_site, PLAN_CTL->return_to);
}

void rt_return_forget(void)
{
    if (!rt->return_slot || !rt_is_alone())
        return;
    rt_return_check();
    if (rt->return_slot)
        *(uint64_t *)rt->return_slot = PLAN_CTL->return_to;
    rt->return_slot = 0;
}

/* ---- returns ---- */

/* Where to continue. */
uint64_t rt_return_came(void)
{
    rt->return_slot = 0;
    if (rt_on())
        rt_gap_once(
            WIRE_GAP_UNWATCHED, rt->return_site,
            "the uninstrumented caller of this function, before all threads are joined");
    return PLAN_CTL->return_to;
}

_Unwind_Reason_Code rt_return_passed(int version, _Unwind_Action actions,
                                     _Unwind_Exception_Class class,
                                     struct _Unwind_Exception *exception,
                                     struct _Unwind_Context *context)
{
    (void)version;
    (void)class;
    (void)exception;
    (void)context;
    if (actions & _UA_CLEANUP_PHASE)
        rt_return_came();
    return _URC_CONTINUE_UNWIND;
}
