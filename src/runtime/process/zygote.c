/* SPDX-License-Identifier: Apache-2.0 */
/* The process before main, and the one that runs jobs.
 *
 *   zygote: READY --SPAWN--> forks a runner, reports its PID, waits for it, reports how it DIED, again
 *   runner: takes a job, runs it, restores the snapshot, takes the next; leaves after a run that
 *           cannot be undone, that needs more stacks, or when it is to be one process per run. */
#include "runtime/process/process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/core/sys.h"
#include "runtime/memory/accesses.h"
#include "runtime/posix/posix.h"
#include "runtime/symbolic/values.h"

#define HWCAP2_FSGSBASE 2u

/* ---- runner ---- */

static bool no_job(void)
{
    return __atomic_load_n(&rt->shm->job_head, __ATOMIC_SEQ_CST) == rt->shm->job_tail;
}

static void wait_for_job(void)
{
    wire_shm *shm = rt->shm;
    while (no_job()) {
        __atomic_store_n(&shm->job_waiting, 1, __ATOMIC_SEQ_CST);
        if (no_job())
            rt_sys_wait(&shm->job_waiting, 1, 1000);
    }
}

static void load_job(void)
{
    uint64_t at = rt->shm->job_tail;
    uint64_t *head = (uint64_t *)&rt->job.head;
    for (uint32_t i = 0; i < sizeof(wire_job) / 8; i++)
        head[i] = rt->shm->jobs[(at + i) & (WIRE_JOB_WORDS - 1)];
    rt->job.steps_at = at + sizeof(wire_job) / 8;
    rt->job.inputs_at = rt->job.steps_at + rt->job.head.n_steps;
    rt->job.promoted_at = rt->job.inputs_at + 2 * (uint64_t)rt->job.head.n_inputs;
}

/* Segment numbers have 24 bits: from time to time all shadow is dropped and they start again. */
static void drop_shadow(void)
{
#define X(lo, hi)                                                                        \
    rt_sys(SYS_madvise, (long)(lo ^ PLAN_EPOCH_XOR), (long)(hi - lo), MADV_DONTNEED);    \
    rt_sys(SYS_madvise, (long)(lo ^ PLAN_SITE_XOR), (long)(hi - lo), MADV_DONTNEED);
    PLAN_WINDOWS(X)
#undef X
    rt->segment = 0;
}

static void enter_main(rt_thread *first)
{
    RT_ASSERT(first->id == 0 && rt->n_live == 1);
    rt->self = first;
    rt_segment_start(first);
    rt->active = true;
    first->state = RT_RUNNING;
    rt_segment_show(first);
    rt_carrier_enter(first);
}

static void run_job(void)
{
    RT_ASSERT(!rt->active && rt->above);
    if (rt->segment > RT_MAX_SEGMENT / 2)
        drop_shadow();
    rt->segment_base = rt->segment;
    rt->run++;
    rt->process_signals = rt->signals_sent = rt->signals_lost = rt->has_handler =
        rt->has_setter = 0;
    rt->timers = rt->timers_made = rt->timers_handled = 0;
    memset(rt->itimers, 0, sizeof rt->itimers);
    rt->concurrency = 0;
    rt->n_keys = rt->cap_keys = 0;
    rt_bump_reset();
    rt_gaps_reset();
    rt_exit_reset();
    rt_objects_reset();
    rt_race_reset();
    rt_watch_reset();
    rt_fd_reset();
    rt_mappings_reset();
    rt->symbolic = rt->makes_inputs; /* runs of other searches come in between */
    rt_reads_reset();
    rt_visible_reset();
    rt_sym_reset();
    rt_promote_reset();
    rt_sched_reset();
    rt_threads_reset();
    rt->threads[0].heap = rt->main_heap;
    enter_main(&rt->threads[0]);
    rt->self = NULL;
    rt_emit_publish();
    rt->shm->heartbeat++;
    __atomic_store_n(&rt->shm->job_tail, rt->shm->job_tail + rt->job.head.n_words,
                     __ATOMIC_SEQ_CST);
}

static bool used_up(void)
{
    return rt->tainted || rt->shm->restart == WIRE_RESTART_FORK ||
           rt->shm->want_stacks > rt->n_stacks;
}

static void restore(void)
{
    RT_ASSERT(!rt->active && !rt->self);
    rt_heap_restore();
    rt_stacks_restore();
    rt_snapshot_restore();
    rt_arguments_restore();
}

_Noreturn static void runner(void)
{
    rt->carrier = rt->shm->carrier;
    rt->fsgsbase = (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0;
#if defined(__x86_64__)
    rt->avx2 = __builtin_cpu_supports("avx2");
#else
    rt->fsgsbase = true;
#endif
    rt->trace_at = rt->shm->trace_head;
    rt_crash_install();
    rt_overlay_prepare();
    rt_identity_prepare();
    if (!rt->direct)
        rt_fd_prepare();
    rt_stacks_create(rt->shm->n_stacks);
    rt->first_free_fd = rt_lowest_free_fd();
    rt_trap_install();
    if (rt->shm->restart == WIRE_RESTART_SNAPSHOT && !rt->direct) {
        rt_heap_saved();
        rt_snapshot_take();
    }
    for (;;) {
        wait_for_job();
        load_job();
        run_job();
        if (used_up())
            rt_sys_exit(0);
        restore();
    }
}

/* ---- zygote ---- */

static void say(uint32_t kind, int32_t value)
{
    wire_message m = {kind, value};
    if (write(rt->pipe, &m, sizeof m) != sizeof m)
        rt_sys_exit(0);
}

static void wait_for_spawn(void)
{
    wire_message m;
    do {
        if (read(rt->pipe, &m, sizeof m) != sizeof m)
            rt_sys_exit(0);
    } while (m.kind != WIRE_MSG_SPAWN);
}

_Noreturn static void become_runner(pid_t zygote)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    if (getppid() != zygote)
        rt_sys_exit(0);
    close(rt->pipe);
    runner();
}

_Noreturn void rt_zygote(void)
{
    /* What a failing run has printed must be seen. */
    if (rt->shm->keep_output)
        setvbuf(stdout, NULL, _IONBF, 0);
    if (rt->direct)
        runner();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pid_t self = getpid();
    say(WIRE_MSG_READY, 0);
    for (;;) {
        wait_for_spawn();
        pid_t pid = fork();
        if (pid == 0)
            become_runner(self);
        say(WIRE_MSG_PID, pid);
        int status = 0;
        while (pid > 0 && waitpid(pid, &status, 0) < 0)
            continue;
        say(WIRE_MSG_DIED, status);
        /* treadle may be asleep, waiting for the runner's records */
        __atomic_store_n(&rt->shm->trace_waiting, 0, __ATOMIC_SEQ_CST);
        rt_sys_wake(&rt->shm->trace_waiting);
    }
}
