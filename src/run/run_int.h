/* SPDX-License-Identifier: Apache-2.0 */
/* run/run_int.h - the executor's own parts.
 *
 *   program.c  the program's process: start, messages of the zygote, end
 *   modules.c  where its files are loaded
 *   ring.c     jobs into, records out of the shared memory
 *   run.c      which job is where; the watchdog
 *   gdb.c      the program in a debugger; gdb_steps.py is what gdb runs
 *
 * A job is QUEUED until it is written into the ring (sent), and leaves the queue when its NOTE_DONE
 * was read. When the runner dies the rings are emptied and what was sent is queued again, but for
 * the job that was being run. */
#pragma once

#include <sys/types.h>

#include "run/run.h"
#include "wire/layout.h"

/* The script for gdb (gdb_steps.py). */
extern const char run_gdb_steps[];

/* ---- program.c ---- */

typedef struct run_program {
    pid_t zygote;
    int socket;
    pid_t runner; /* 0: none */
    int shm_fd;
    wire_shm *shm;
    const uint8_t *marks; /* behind shm, PLAN_COVER_SIZE */
} run_program;

/* The shared memory with the options in it; program may then be started. */
TD_MUST_USE td_status run_shm_create(const run_opts *opts, uint32_t n_stacks,
                                     run_program *p, td_diag *diag);
/* Starts argv up to the point before main. */
TD_MUST_USE td_status run_program_start(const run_opts *opts, run_program *p,
                                        td_diag *diag);
/* After the process that runs are forked from was killed: the shared memory, with its marks, stays. */
TD_MUST_USE td_status run_program_restart(const run_opts *opts, run_program *p,
                                          td_diag *diag);
TD_MUST_USE td_status run_program_spawn(run_program *p, td_diag *diag);
/* The runner's wait status if it has died; does not wait. */
bool run_program_died(run_program *p, int *status);
/* Waits at most timeout_ms for the runner to die. */
bool run_program_wait_death(run_program *p, uint32_t timeout_ms, int *status);
/* Processor time the runner has used. */
uint64_t run_program_cpu_ms(const run_program *p);
/* The state letter of the runner in /proc: R, S, D, T...; X: it is gone. */
char run_program_state(const run_program *p);
void run_program_close(run_program *p);

/* ---- modules.c ---- */

/* Lists the executable and every other loaded file of the process, as far as the kernel shows them. */
void run_modules(pid_t pid, const wire_image *executable, trc_module_vec *out);

/* ---- ring.c ---- */

/* Positions treadle trusts: its own. */
typedef struct run_ring {
    wire_shm *shm;
    uint64_t job_head, job_tail, trace_tail;
} run_ring;

/* Empties both rings; no job may be running. */
void run_ring_reset(run_ring *r);
uint32_t run_job_words(const run_request *request);
/* False: no space now. */
bool run_ring_put(run_ring *r, const run_request *request, uint32_t depth);
/* The words of the oldest job are free again. */
void run_ring_free(run_ring *r, uint32_t n_words);
/* The runner sees what was put. */
void run_ring_flush(run_ring *r);
/* Copies up to max records that are ready. */
size_t run_ring_take(run_ring *r, wire_rec *out, size_t max);
void run_ring_taken(run_ring *r, size_t n);
/* Sleeps until records arrive, the zygote reports something or the timeout expires. The wait is announced
 * before the caller checks the zygote for the last time, so no wakeup is lost. */
void run_ring_announce(run_ring *r);
void run_ring_wait(run_ring *r, uint32_t timeout_ms);

#define RUN_MAX_STACKS 4096u
