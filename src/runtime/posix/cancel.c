/* SPDX-License-Identifier: Apache-2.0 */
/* Cancellation, and what is to be done when a thread ends in the middle.
 *
 * A cancellation takes effect at cancellation points. A thread that waits at one has no effect on
 * others as long as it waits, so that being cancelled there is the same as having come late: what
 * a point does first is to look whether a cancellation has come, and it may look late. Where a
 * thread was not cancelled when it looked, waits forever, and is cancelled then, the run shows
 * nothing (rt_op.cancellable).
 *
 * Handlers are places in the program's functions to which control returns (pthread_cleanup_push is
 * a setjmp); the list of them is threaded through their buffers. */
#include "runtime/posix/sync.h"

#include <errno.h>
#include <setjmp.h>
#include <string.h>
#include <unwind.h>

#include "runtime/memory/accesses.h"
#include "runtime/posix/posix.h"

/* ---- handlers ---- */

/* Uses of the private words of a buffer. A buffer with a routine is the runtime's own. */
enum { PAD_BEFORE, PAD_ROUTINE, PAD_ARG, PAD_TYPE };

static void push(__pthread_unwind_buf_t *b)
{
    b->__pad[PAD_BEFORE] = rt->self->cleanup;
    b->__pad[PAD_ROUTINE] = NULL;
    rt->self->cleanup = b;
}

static void pop(const __pthread_unwind_buf_t *b)
{
    rt->self->cleanup = b->__pad[PAD_BEFORE];
}

void rt_cleanup_push(rt_cleanup *c, void (*routine)(void *), void *arg)
{
    RT_ASSERT(rt_on() && routine); /* one without is the program's */
    push(c);
    c->__pad[PAD_ROUTINE] = (void *)routine;
    c->__pad[PAD_ARG] = arg;
}

void rt_cleanup_pop(const rt_cleanup *c)
{
    pop(c);
}

void rt_cleanup_unwind(void)
{
    const rt_cleanup *c = rt->self->cleanup;
    if (!c || !c->__pad[PAD_ROUTINE])
        return;
    pop(c);
    ((void (*)(void *))c->__pad[PAD_ROUTINE])(c->__pad[PAD_ARG]);
}

/* The buffer is the beginning of a jmp_buf, without room for the signals. */
_Noreturn static void jump(const __pthread_unwind_buf_t *b)
{
    jmp_buf env;
    memset(&env, 0, sizeof env);
    memcpy(&env, b->__cancel_jmp_buf, sizeof b->__cancel_jmp_buf);
    longjmp(env, 1);
}

/* Goes to the newest handler, which comes back with __pthread_unwind_next; those of the runtime are
 * called. Only handlers in frames below an address. */
static void run_handlers(uint64_t below)
{
    rt_thread *self = rt->self;
    RT_ASSERT(self->cancel_off); /* it ends, and cannot be cancelled again */
    while (self->cleanup && (uint64_t)self->cleanup < below) {
        rt_cleanup *c = self->cleanup;
        void (*routine)(void *) = (void (*)(void *))c->__pad[PAD_ROUTINE];
        pop(c);
        if (!routine)
            jump(c);
        routine(c->__pad[PAD_ARG]);
    }
}

/* For programs compiled with -fexceptions, whose handlers are found by unwinding the stack: only these are
 * linked with the library that provides it. */
__attribute__((weak)) _Unwind_Reason_Code
_Unwind_ForcedUnwind(struct _Unwind_Exception *e, _Unwind_Stop_Fn stop, void *arg);
__attribute__((weak)) _Unwind_Word _Unwind_GetCFA(struct _Unwind_Context *context);

static _Unwind_Reason_Code frame(int version, _Unwind_Action actions,
                                 _Unwind_Exception_Class kind,
                                 struct _Unwind_Exception *e,
                                 struct _Unwind_Context *context, void *arg)
{
    bool is_last = (actions & _UA_END_OF_STACK) != 0;
    run_handlers(is_last ? UINT64_MAX : _Unwind_GetCFA(context));
    RT_ASSERT(!is_last || rt->self->cleanup == NULL);
    if (is_last)
        rt_thread_leave(rt->self->leaving);
    return _URC_NO_REASON;
}

_Noreturn static void unwind(void)
{
    if (_Unwind_ForcedUnwind && _Unwind_GetCFA) {
        struct _Unwind_Exception *e = rt_bump(sizeof *e);
        e->exception_class = UINT64_C(0x656c646165727400);
        _Unwind_ForcedUnwind(e, frame, NULL);
    }
    run_handlers(UINT64_MAX);
    rt_thread_leave(rt->self->leaving);
}

_Noreturn void rt_cancel_leave(void *value)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    rt_thread *self = rt->self;
    self->cancel_off = true;
    self->leaving = value;
    unwind();
}

_Noreturn void rt_cancel_act(void)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    rt->self->value_label = 0;
    rt_cancel_leave(PTHREAD_CANCELED);
}

RT_API void __treadle___pthread_register_cancel(__pthread_unwind_buf_t *b);
void __treadle___pthread_register_cancel(__pthread_unwind_buf_t *b)
{
    if (!rt_on()) {
        __pthread_register_cancel(b);
        return;
    }
    rt_call_site();
    push(b);
}

RT_API void __treadle___pthread_unregister_cancel(__pthread_unwind_buf_t *b);
void __treadle___pthread_unregister_cancel(__pthread_unwind_buf_t *b)
{
    if (!rt_on()) {
        __pthread_unregister_cancel(b);
        return;
    }
    rt_call_site();
    pop(b);
}

RT_API void __treadle___pthread_register_cancel_defer(__pthread_unwind_buf_t *b);
void __treadle___pthread_register_cancel_defer(__pthread_unwind_buf_t *b)
{
    if (!rt_on()) {
        __pthread_register_cancel_defer(b);
        return;
    }
    rt_call_site();
    push(b);
    b->__pad[PAD_TYPE] = (void *)(uintptr_t)rt->self->cancel_async;
    rt->self->cancel_async = false;
}

RT_API void __treadle___pthread_unregister_cancel_restore(__pthread_unwind_buf_t *b);
void __treadle___pthread_unregister_cancel_restore(__pthread_unwind_buf_t *b)
{
    if (!rt_on()) {
        __pthread_unregister_cancel_restore(b);
        return;
    }
    uint32_t site = rt_call_site();
    pop(b);
    rt->self->cancel_async = b->__pad[PAD_TYPE] != NULL;
    if (rt->self->cancel_async)
        rt_cancel_point(site);
}

RT_API _Noreturn void __treadle___pthread_unwind_next(__pthread_unwind_buf_t *b);
void __treadle___pthread_unwind_next(__pthread_unwind_buf_t *b)
{
    if (!rt_on())
        __pthread_unwind_next(b);
    rt_call_site();
    unwind();
}

/* ---- cancellation ---- */

void rt_cancel_test(uint32_t site)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    if (!rt_cancellable())
        return;
    rt_op_new(WIRE_CANCEL_TEST, site, (uint64_t)rt_thread_handle(rt->self));
    if (rt_operation())
        rt_cancel_act();
}

RT_API int __treadle_pthread_cancel(pthread_t thread);
int __treadle_pthread_cancel(pthread_t thread)
{
    if (!rt_on())
        return pthread_cancel(rt_thread_real(thread));
    uint32_t site = rt_call_site();
    static const char wrong[] = "cancel of something that is not a thread";
    rt_thread *t = rt_thread_known(thread, site, wrong);
    rt_op_new(WIRE_CANCEL, site, (uint64_t)thread)->target = t->id;
    rt_operation();
    rt_thread_used(t, site, wrong);
    if (t == rt->self && t->cancel_async)
        rt_cancel_test(site);
    return 0;
}

RT_API void __treadle_pthread_testcancel(void);
void __treadle_pthread_testcancel(void)
{
    if (!rt_on()) {
        pthread_testcancel();
        return;
    }
    rt_cancel_point(rt_call_site());
}

static void tell_old(int *out, int value, uint32_t site)
{
    if (!out)
        return;
    rt_access((uint64_t)out, sizeof *out, true, site);
    *out = value;
}

RT_API int __treadle_pthread_setcancelstate(int state, int *old);
int __treadle_pthread_setcancelstate(int state, int *old)
{
    if (!rt_on())
        return pthread_setcancelstate(state, old);
    rt_thread *self = rt->self;
    uint32_t site = rt_call_site();
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    tell_old(old, self->cancel_off ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE,
             site);
    self->cancel_off = state == PTHREAD_CANCEL_DISABLE;
    if (self->cancel_async)
        rt_cancel_point(site);
    return 0;
}

/* Where a thread can be cancelled anywhere, it still is at cancellation points only. */
RT_API int __treadle_pthread_setcanceltype(int type, int *old);
int __treadle_pthread_setcanceltype(int type, int *old)
{
    if (!rt_on())
        return pthread_setcanceltype(type, old);
    rt_thread *self = rt->self;
    uint32_t site = rt_call_site();
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    tell_old(old,
             self->cancel_async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED,
             site);
    self->cancel_async = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    if (self->cancel_async && (rt->uses & WIRE_USES_CANCEL)) {
        rt_gap(WIRE_GAP_REFUSED, site, "asynchronous cancellation");
        rt_cancel_point(site);
    }
    return 0;
}
