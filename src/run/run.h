/* SPDX-License-Identifier: Apache-2.0 */
/* run/run.h - executions of one program.
 *
 * Purpose     Starts the program under control, sends it jobs, returns decoded runs; restarts it when
 *             it dies, kills it when it hangs.
 * Words       zygote: the program stopped before main. runner: forked from it, runs jobs.
 * Invariants  (R1) every submitted job comes back from run_next once: with a complete
 *             trace, or with RUN_LOST; (R2) whatever the program does, treadle continues.
 * Ownership   The trc handed out is valid until the next run_next.
 * Threads     None; the program is another process.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "run/symbolic_inputs.h"
#include "trace/site_table.h"
#include "trace/trace.h"

typedef struct run run;

/* Jobs that need code that follows values (instrument/kept_bitcode.h). */
#define RUN_FOLLOWS (WIRE_JOB_READS | WIRE_JOB_SIDES | WIRE_JOB_FLOW)

#define RUN_TIMEOUT_MS 2000u /* the default */

typedef struct run_opts {
    char *const *argv;   /* program and arguments, NULL at the end */
    uint32_t restart;    /* enum wire_restart */
    uint32_t carrier;    /* enum wire_carrier */
    uint32_t timeout_ms; /* without an operation: a hang; 0: 2000 */
    uint64_t heap_limit; /* 0: 1 GiB */
    uint32_t depth;      /* operations a run; 0: 100000 */
    bool keep_files;     /* what the program does to files is not undone */
    bool keep_output;    /* the program's output goes to ours */
    const char *output;  /* else it is appended to this file; NULL: it is dropped */
    bool dap;            /* for run_gdb: a debug adapter, for editors */
    const int *capture;  /* else standard output and error go to these two; NULL: not */
    bool aslr;           /* leave address randomisation on (tests) */
    run_given given;     /* arguments and standard input that are inputs */
    bool follows;        /* requests may have flags of RUN_FOLLOWS */
    /* Asked now and then while a run takes long; false: run_next gives up. NULL: never. */
    bool (*goes_on)(void *ctx);
    void *ctx;
} run_opts;

typedef struct run_request {
    uint64_t id;
    uint32_t policy, flags;
    uint64_t seed;
    uint32_t pct_depth, pct_length;
    uint32_t depth;         /* operations of the run; 0: run_opts.depth */
    uint32_t threads;       /* it makes; 0: no bound */
    const wire_step *steps; /* borrowed for the call */
    size_t n_steps;
    const wire_input *inputs; /* likewise; what is not named takes a fixed value */
    size_t n_inputs;
    const wire_promoted *promoted; /* likewise; sites whose accesses are operations */
    size_t n_promoted;
} run_request;

typedef enum run_outcome {
    RUN_TRACE, /* *out is a complete run */
    RUN_LOST,  /* the job's process ended without a word, or wrote nonsense */
    RUN_IDLE,  /* no job is under way */
} run_outcome;

/* Fails with a message if the file was not built with treadle cc. */
TD_MUST_USE td_status run_program_check(const char *path, td_diag *diag);

/* Starts the program up to main. Fails with a message if it was not built with treadle cc. */
TD_MUST_USE td_status run_open(const run_opts *opts, run **out, td_diag *diag);
void run_close(run *r);

/* False: the ring is full, take a run first. */
bool run_submit(run *r, const run_request *request);
/* Starts the submitted jobs while the caller waits for another executor. Errors are reported by run_next. */
void run_begin(run *r);
/* True if both have the same code at the same addresses: a run of one is a run of the other. */
bool run_is_like(const run *r, const run *other);
/* Waits for the next finished job. *job is its id; *out its run (RUN_TRACE). Runs come in
 * the order of submission. An error ends the session; TD_E_LIMIT: goes_on said so. */
TD_MUST_USE td_status run_next(run *r, run_outcome *outcome, uint64_t *job, trc **out,
                               td_diag *diag);

#define RUN_LAST_BYTES 4096

/* Makes the run once more in a process of its own; out gets the end of what it wrote to standard output
 * and to standard error, nothing if it does not fail this time. These bytes are the program's. */
TD_MUST_USE td_status run_last_output(const run_opts *opts, const run_request *request,
                                      td_text out[2], td_diag *diag);

/* How long a run had no operation, by the clock, when goes_on ended the wait for it; 0: it did not. */
uint64_t run_silent_ms(const run *r);

/* Describes why the last run was lost. */
const char *run_lost_why(const run *r);

trc_sites *run_sites(run *r);
trc_namer *run_namer(run *r);

/* True if some run so far set the mark of this side of a site (wire/site.h). */
bool run_marked(run *r, uint32_t site, uint32_t side);

/* Replaces this process by gdb on the program: real threads, the schedule of the request,
 * stopped at the failing point. Returns only on error. steps: what the user can go to, a line each, with
 * tabs between act, thread, file without directory, line and text; an act counts operations and, with
 * WIRE_JOB_DETAIL, plain accesses, and is 0 for the end of the run. */
TD_MUST_USE td_status run_gdb(const run_opts *opts, const run_request *request,
                              const char *steps, td_diag *diag);
