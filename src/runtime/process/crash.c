/* SPDX-License-Identifier: Apache-2.0 */
/* Signals: a crash ends the run and the process, a hang is reported by treadle's signal. If other threads
 * continue after a failure, a crash in the program's own code ends the process only; one inside a library
 * may have left any state behind, such as a lock of the library.
 *
 * A division by zero and an access through NULL in the program's own code have written nothing, and do not
 * suggest corrupted memory: the process continues with the next run, which is much faster than a new
 * process. After a fault anywhere else the runtime's own state is not trusted. */
#include "runtime/process/process.h"

#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "runtime/core/sys.h"
#include "runtime/posix/overlay.h"
#include "runtime/posix/posix.h"

#ifndef SYS_SECCOMP
#define SYS_SECCOMP 1
#endif

#define PLACES 24u /* recorded addresses */

static uint64_t program_counter(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
#else
    return context->uc_mcontext.pc;
#endif
}

static uint64_t stack_pointer(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uint64_t)context->uc_mcontext.gregs[REG_RSP];
#else
    return context->uc_mcontext.sp;
#endif
}

static bool in_program(uint64_t address)
{
    for (uint32_t i = 0; i < rt->shm->n_images && i < WIRE_MAX_IMAGES; i++)
        if (address >= rt->shm->images[i].start && address < rt->shm->images[i].end)
            return true;
    return false;
}

/* The end of the executable's code, by the linker. */
extern const char etext[];

static bool may_be_return(uint64_t word)
{
    bool is_data =
        word >= (uint64_t)etext && word < PLAN_CTL->image_start + PLAN_CTL->image_size;
    return in_program(word) && !is_data;
}

/* Writes the place in hexadecimal, followed by return addresses into the program, nearest first: for a crash
 * inside a library or the runtime they show the call. They are searched on the thread's stack. */
static void put_places(const ucontext_t *context, char *out)
{
    uint64_t pc = program_counter(context);
    uint64_t sp = stack_pointer(context) & ~UINT64_C(7);
    uint64_t top =
        (sp - PLAN_SLOTS) / PLAN_SLOT_SIZE * PLAN_SLOT_SIZE + PLAN_SLOT_SIZE + PLAN_SLOTS;
    uint64_t readable = top - PLAN_STACK_SIZE + 4096; /* it may have overflowed */
    bool on_slot = sp >= PLAN_SLOTS && sp < PLAN_SLOTS + PLAN_N_SLOTS * PLAN_SLOT_SIZE;
    uint32_t n = 1;
    rt_hex(pc, out);
    if (sp < readable)
        sp = readable;
    for (uint64_t at = sp; on_slot && at < top && at < sp + 16384 && n < PLACES;
         at += 8) {
        uint64_t word = *(const uint64_t *)at;
        if (!may_be_return(word))
            continue;
        out[n * RT_HEX_TEXT - 1] = ' ';
        rt_hex(word - 1, out + n++ * RT_HEX_TEXT);
    }
}

/* An access that faults was announced to the runtime just before, or its shadow faults itself. */
static uint32_t site_of_fault(uint64_t address)
{
    uint64_t shadowed = address ^ PLAN_EPOCH_XOR;
    bool announced = rt->last_address <= address && address < rt->last_address + 4096;
    bool shadow = (rt->last_address & ~UINT64_C(7)) == (shadowed & ~UINT64_C(7));
    return announced || shadow ? rt->last_site : 0;
}

static bool in_window(uint64_t address)
{
#define X(lo, hi)                                                                        \
    if (address - (lo) < (hi) - (lo))                                                    \
        return true;
    PLAN_WINDOWS(X)
#undef X
    return false;
}

/* True for memory without a shadow that other code has mapped: its check faults, not the access. */
static bool has_no_shadow(uint64_t fault)
{
    uint64_t address = fault ^ PLAN_EPOCH_XOR;
    unsigned char resident;
    if (in_window(fault) || in_window(address))
        return false;
    return rt_sys(SYS_mincore, (long)(address & ~UINT64_C(4095)), 4096,
                  (long)&resident) == 0;
}

/* A thread that has yielded since its last operation polls something: there. */
static uint32_t site_of_hang(void)
{
    return rt->self->yielded ? rt->self->yield_site : 0;
}

#define NULL_PAGES 65536u /* addresses that are NULL and a member */

/* Nothing but the run is lost. A wild pointer may come without an address: "SI_KERNEL". */
static bool is_clean(int signal, const siginfo_t *info)
{
    bool has_address = info->si_code == SEGV_MAPERR || info->si_code == SEGV_ACCERR;
    return signal == SIGFPE ||
           (signal == SIGSEGV && has_address && (uint64_t)info->si_addr < NULL_PAGES);
}

/* Leaves the interrupted code for good: the run continues or ends from here. */
static void leave_signal(const ucontext_t *context)
{
    rt->self->stack_low = stack_pointer(context);
    rt->ending = false;
    PLAN_CTL->call_site = PLAN_CTL->inner_site = 0;
    sigprocmask(SIG_SETMASK, &context->uc_sigmask, NULL);
}

_Noreturn static void stand(const ucontext_t *context, uint32_t site)
{
    rt_thread *self = rt->self;
    self->faulted = site != 0;
    self->fault = rt->last_address;
    self->called_at = stack_pointer(context);
    leave_signal(context);
    rt_fail_done(site, 0);
}

/* Records how the run ended, and ends the process. */
_Noreturn static void end(uint8_t how, int signal)
{
    rt_emit_stuck();
    rt_emit_nexts();
    wire_rec *r = rt_emit(WIRE_NOTE_DONE);
    r->size = how;
    r->value = (uint64_t)signal;
    r->object = rt->n_ops;
    r->count = rt->n_choices;
    r->flags = (rt->n_enabled > 0 ? WIRE_ENDED_CUT : 0) | rt_stores_ended();
    rt_emit_publish();
    if (how == WIRE_DONE_FAIL)
        __treadle_failed();
    rt_sys_exit(0);
}

/* A call of the filter's list that the runtime carries out. */
static bool is_carried_out(const siginfo_t *info, ucontext_t *context)
{
#if defined(__x86_64__)
    greg_t *r = context->uc_mcontext.gregs;
    const long a[6] = {r[REG_RDI], r[REG_RSI], r[REG_RDX],
                       r[REG_R10], r[REG_R8],  r[REG_R9]};
    long result;
    if (!rt_file_call(info->si_syscall, a, &result))
        return false;
    r[REG_RAX] = result;
#else
    unsigned long long *r = context->uc_mcontext.regs;
    const long a[6] = {(long)r[0], (long)r[1], (long)r[2],
                       (long)r[3], (long)r[4], (long)r[5]};
    long result;
    if (!rt_file_call(info->si_syscall, a, &result))
        return false;
    r[0] = (unsigned long long)result;
#endif
    return true;
}

_Noreturn static void refuse(uint32_t site, const char *what)
{
    rt->ending = true;
    rt->pending_write = 0;
    PLAN_CTL->epoch = 0;
    rt_gap(WIRE_GAP_REFUSED, site, what);
    end(WIRE_DONE_REFUSED, 0);
}

static void on_crash(int signal, siginfo_t *info, void *context)
{
    bool is_stopped = signal == SIGSYS && info->si_code == SYS_SECCOMP;
    if (is_stopped && is_carried_out(info, context)) {
        if (rt->overlay->refused)
            refuse(rt->last_call, rt->overlay->refused);
        return;
    }
    rt_history_return();
    if (!rt->active || rt->ending)
        rt_sys_exit(72);
    if (is_stopped)
        refuse(rt->self->foreign_site, rt_trap_name(info->si_syscall));
    rt->ending = true;
    rt->pending_write = 0;
    PLAN_CTL->epoch = 0;
    char places[PLACES * RT_HEX_TEXT];
    put_places(context, places);
    uint64_t address = (uint64_t)info->si_addr;
    bool fault = signal == SIGSEGV || signal == SIGBUS;
    if (signal == SIGSEGV && has_no_shadow(address)) {
        uint32_t at = site_of_fault(address);
        /* The last call may have mapped it. */
        rt_gap(WIRE_GAP_REFUSED, at ? at : rt->last_call,
               "memory mapped where treadle cannot watch it");
        end(WIRE_DONE_REFUSED, 0);
    }
    enum wire_fail kind = signal == rt->hang_signal ? WIRE_FAIL_HANG : WIRE_FAIL_CRASH;
    if (signal == SIGABRT)
        kind = WIRE_FAIL_ABORT;
    uint32_t site = fault ? site_of_fault(address) : 0;
    if (kind == WIRE_FAIL_HANG)
        site = site_of_hang();
    rt_fail(kind, site, fault ? address : 0, (uint64_t)signal, places);
    bool is_own = kind == WIRE_FAIL_CRASH && in_program(program_counter(context));
    bool clean = is_own && is_clean(signal, info);
    if (!clean)
        rt->tainted = true;
    if (is_own && rt_fail_stands())
        stand(context, site);
    if (clean) {
        leave_signal(context);
        rt_run_end(WIRE_DONE_FAIL, (uint64_t)signal);
    }
    end(WIRE_DONE_FAIL, signal);
}

void rt_crash_stack(void *memory)
{
    RT_ASSERT(memory);
    stack_t s = {.ss_sp = memory, .ss_size = RT_SIGNAL_STACK};
    sigaltstack(&s, NULL);
}

void rt_crash_install(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                  SIGABRT, SIGTRAP, SIGSYS};
    struct sigaction action = {.sa_sigaction = on_crash,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    sigdelset(&action.sa_mask, SIGSEGV);
    rt->hang_signal = SIGRTMAX - 1;
    rt->crash_handler = on_crash;
    /* A debugger must see the signal itself, where it happens. */
    if (rt->direct) {
        sigaction(SIGSYS, &action, NULL);
        rt_crash_stack(rt_signal_stack_new());
        return;
    }
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
    sigaction(rt->hang_signal, &action, NULL);
    rt_crash_stack(rt_signal_stack_new());
}
