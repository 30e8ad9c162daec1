/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the threads: as fibers on one real thread, or each on a real thread.
 *
 * A pool of real threads is started once and parks. With fibers they only lend their thread-local storage: a
 * fiber runs on the one thread with the thread pointer of a parked one. With real threads the parked one
 * wakes up and runs the thread itself, on the same stack memory, so both see the same addresses. */
#include "runtime/core/above.h"

#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "runtime/core/sys.h"

/* switch.S */
RT_HIDDEN void rt_switch(void **save_sp, void *load_sp, uint64_t tp, long fsgsbase);
RT_HIDDEN void rt_start(void);
RT_HIDDEN _Noreturn void rt_call_on(void *sp, void (*fn)(void));

static uint64_t thread_pointer(void)
{
    return (uint64_t)__builtin_thread_pointer();
}

static bool real_threads(void)
{
    return rt->carrier == WIRE_CARRIER_THREADS;
}

/* ---- floating point ---- */

#define X87_FLAGS 0x3fu /* exceptions that were raised, in the status word */

/* Control words of x87 and SSE and the flags that were raised, as rt_switch keeps them. */
uint64_t rt_carrier_fenv(void)
{
#if defined(__x86_64__)
    uint32_t sse;
    uint16_t x87, status;
    __asm__ volatile("stmxcsr %0" : "=m"(sse));
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    __asm__ volatile("fnstsw %0" : "=m"(status));
    return (uint64_t)(status & X87_FLAGS) << 48 | (uint64_t)x87 << 32 | sse;
#else
    return 0;
#endif
}

static void fenv_set(uint64_t fenv)
{
#if defined(__x86_64__)
    uint32_t sse = (uint32_t)fenv;
    uint16_t x87 = (uint16_t)(fenv >> 32);
    uint32_t all[7];
    __asm__ volatile("ldmxcsr %0" : : "m"(sse));
    __asm__ volatile("fnstenv %0" : "=m"(all));
    all[0] = (all[0] & ~0xffffu) | x87;
    all[1] = (all[1] & ~X87_FLAGS) | (uint32_t)(fenv >> 48);
    __asm__ volatile("fldenv %0" : : "m"(all));
#else
    (void)fenv;
#endif
}

/* ---- the pool ---- */

/* Bytes of static thread-local storage below the thread pointer (x86-64) or above it. */
static int measure_tls(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    uint64_t *most = data;
    if (!info->dlpi_tls_data)
        return 0;
    uint64_t at = (uint64_t)info->dlpi_tls_data, tp = thread_pointer();
    uint64_t distance = at < tp ? tp - at : at - tp;
    if (distance > *most && distance < (1u << 20))
        *most = distance;
    return 0;
}

#define PARK_STACK (UINT64_C(256) << 10)

static void park(rt_stack *s)
{
    while (!__atomic_load_n(&s->wake, __ATOMIC_ACQUIRE))
        rt_sys_wait(&s->wake, 0, 0);
    __atomic_store_n(&s->wake, 0, __ATOMIC_RELAXED);
}

static void unpark(rt_stack *s)
{
    __atomic_store_n(&s->wake, 1, __ATOMIC_RELEASE);
    rt_sys_wake(&s->wake);
}

/* Names the real thread for debuggers. */
static void name_thread(const char *text, uint32_t number)
{
    char name[16];
    if (!real_threads())
        return;
    snprintf(name, sizeof name, number > 0 ? "%s%u" : "%s", text, number);
    rt_sys(SYS_prctl, PR_SET_NAME, (long)name, 0);
}

static void *parked(void *arg)
{
    rt_stack *s = arg;
    rt->above->real_thread_starts(s->signals);
    s->tp = thread_pointer();
    __atomic_store_n(&s->started, 1, __ATOMIC_RELEASE);
    rt_sys_wake(&s->started);
    name_thread("parked", 0);
    park(s);
    rt_thread *t = &rt->threads[s->user];
    name_thread("T", t->id);
    fenv_set(t->fenv);
    rt_call_on((void *)(rt_stack_top(t->slot) - 64), rt->above->thread_entry);
}

/* A handler of the program for faults runs there too. Without a guard one that overflows it would go on through the
 * storage of the runtime, for as long as there is memory. */
void *rt_signal_stack_new(void)
{
    uint8_t *memory = rt_saved_alloc(RT_SIGNAL_GUARD + RT_SIGNAL_STACK);
    rt_sys(SYS_mprotect, (long)memory, (long)RT_SIGNAL_GUARD, PROT_NONE);
    return memory + RT_SIGNAL_GUARD;
}

static void stack_start(rt_stack *s, uint64_t tls)
{
    pthread_attr_t attr;
    pthread_t handle;
    pthread_attr_init(&attr);
    uint8_t *memory = rt_saved_alloc(PARK_STACK + tls);
    pthread_attr_setstack(&attr, memory, PARK_STACK + tls);
    s->memory_end = (uint64_t)memory + PARK_STACK + tls;
    s->signals = rt_signal_stack_new();
    s->started = 0;
    s->user = RT_NONE;
    if (pthread_create(&handle, &attr, parked, s) != 0) {
        rt_sys_say("treadle: the program's process cannot start threads\n");
        rt_sys_exit(71);
    }
    pthread_attr_destroy(&attr);
}

/* When it has parked. */
static void stack_save(rt_stack *s, uint64_t tls)
{
    while (!__atomic_load_n(&s->started, __ATOMIC_ACQUIRE))
        rt_sys_wait(&s->started, 0, 0);
#if defined(__x86_64__)
    s->tls_start = (s->tp - tls) & ~UINT64_C(15);
    s->tls_end = s->memory_end;
#else
    s->tls_start = (s->tp - 4096) & ~UINT64_C(15);
    s->tls_end = s->tp + tls + 4096;
    if (s->tls_end > s->memory_end)
        s->tls_end = s->memory_end;
#endif
    size_t size = s->tls_end - s->tls_start;
    s->saved = rt_saved_alloc(size);
    memcpy(s->saved, (const void *)s->tls_start, size);
}

/* Thread-local storage as it was at the snapshot. */
static void stack_clean(rt_stack *s)
{
    memcpy((void *)s->tls_start, s->saved, s->tls_end - s->tls_start);
}

/* The lowest numbers are lent first. */
void rt_stacks_restore(void)
{
    rt->n_free_stacks = 0;
    for (uint32_t i = rt->n_stacks; i-- > 0;) {
        rt->free_stacks[rt->n_free_stacks++] = i;
        if (rt->stacks[i].user == RT_NONE)
            continue;
        stack_clean(&rt->stacks[i]);
        rt->stacks[i].user = RT_NONE;
    }
}

void rt_stacks_create(uint32_t n)
{
    uint64_t tls = 0;
    dl_iterate_phdr(measure_tls, &tls);
    rt->base_tp = thread_pointer();
    rt->n_stacks = n < RT_MAX_STACKS ? n : RT_MAX_STACKS;
    rt->preparing = true;
    tls = (tls + 15) & ~UINT64_C(15);
    /* All are started before the first is waited for: on a busy machine each wait takes long. */
    for (uint32_t i = 0; i < rt->n_stacks; i++)
        stack_start(&rt->stacks[i], tls);
    for (uint32_t i = 0; i < rt->n_stacks; i++)
        stack_save(&rt->stacks[i], tls);
    rt->preparing = false;
    rt_stacks_restore();
}

/* Takes the stacks of threads that ended without being joined, when no other stack is free. */
static void reclaim_ended(void)
{
    for (uint32_t i = 0; i < rt->n_threads; i++)
        if (rt->threads[i].state == RT_ENDED)
            rt_stack_give(&rt->threads[i]);
}

uint32_t rt_stack_take(uint32_t thread)
{
    if (rt->n_free_stacks == 0 && rt->n_stacks == RT_MAX_STACKS)
        reclaim_ended();
    if (rt->n_free_stacks == 0)
        return RT_NONE;
    uint32_t stack = rt->free_stacks[--rt->n_free_stacks];
    RT_ASSERT(stack < rt->n_stacks);
    rt_stack *s = &rt->stacks[stack];
    if (s->user != RT_NONE) {
        /* Used before in this run: to the new thread it is new. */
        stack_clean(s);
        rt->above->forget(s->tls_start, s->tls_end);
    }
    s->user = thread;
    return stack;
}

void rt_stack_give(rt_thread *t)
{
    /* A real thread cannot go back to its parking place: its stack stays taken. */
    if (t->stack == RT_NONE || t->gave_stack || real_threads())
        return;
    t->gave_stack = true;
    RT_ASSERT(rt->n_free_stacks < RT_MAX_STACKS);
    rt->free_stacks[rt->n_free_stacks++] = t->stack;
}

/* ---- fibers ---- */

/* Builds the frame that rt_switch pops, at the upper end of the stack. */
#if defined(__x86_64__)
static void *first_frame(uint64_t top, void (*entry)(void), uint64_t fenv)
{
    uint64_t *sp = (uint64_t *)(top - 64);
    *--sp = (uint64_t)rt_start;
    *--sp = 0;               /* rbp */
    *--sp = (uint64_t)entry; /* rbx */
    for (int i = 0; i < 4; i++)
        *--sp = 0;
    *--sp = fenv;
    return sp;
}
#else
static void *first_frame(uint64_t top, void (*entry)(void), uint64_t fenv)
{
    (void)fenv;
    uint64_t *sp = (uint64_t *)(top - 64 - 176);
    memset(sp, 0, 176);
    sp[0] = (uint64_t)entry;     /* x19 */
    sp[11] = (uint64_t)rt_start; /* x30 */
    return sp;
}
#endif

static void guard(const rt_thread *t)
{
    rt_sys(SYS_mprotect, (long)(rt_stack_bottom(t->slot) - PLAN_GUARD_SIZE),
           (long)PLAN_GUARD_SIZE + 4096, PROT_NONE);
}

static void guard_once(const rt_thread *t)
{
    uint64_t bit = UINT64_C(1) << (t->slot % 64);
    if (rt->guarded[t->slot / 64] & bit)
        return;
    rt->guarded[t->slot / 64] |= bit;
    guard(t);
}

void rt_carrier_prepare(rt_thread *t, uint64_t fenv)
{
    guard_once(t);
    t->stack_low = rt_stack_top(t->slot) - 256;
    if (!real_threads())
        t->sp = first_frame(rt_stack_top(t->slot), rt->above->thread_entry, fenv);
    t->fenv = fenv;
}

/* Returns the stack entry on which the real thread of t waits for its turn. */
static rt_stack *place_of(const rt_thread *t)
{
    RT_ASSERT(t->stack == RT_NONE || t->stack < rt->n_stacks);
    return t->stack == RT_NONE ? &rt->main_stack : &rt->stacks[t->stack];
}

void rt_carrier_switch(rt_thread *from, rt_thread *to)
{
    RT_ASSERT(from != to && to->state != RT_ENDED);
    rt->self = to;
    rt->shm->thread_now = to->id;
    if (!real_threads()) {
        rt_switch(&from->sp, to->sp, to->tp, rt->fsgsbase);
        return;
    }
    unpark(place_of(to));
    park(place_of(from));
}

void rt_carrier_enter(rt_thread *first)
{
    guard_once(first);
    first->stack_low = rt_stack_top(first->slot) - 256;
    rt->self = first;
    rt->shm->thread_now = first->id;
    if (real_threads())
        rt_call_on((void *)(rt_stack_top(first->slot) - 64), rt->above->main_entry);
    first->sp =
        first_frame(rt_stack_top(first->slot), rt->above->main_entry, rt_carrier_fenv());
    rt_switch(&rt->base_sp, first->sp, first->tp, rt->fsgsbase);
}

_Noreturn void rt_carrier_leave(void)
{
    if (real_threads()) {
        rt_emit_publish();
        rt_sys_exit(0);
    }
    void *dropped;
    rt_switch(&dropped, rt->base_sp, rt->base_tp, rt->fsgsbase);
    __builtin_unreachable();
}
