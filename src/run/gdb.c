/* SPDX-License-Identifier: Apache-2.0 */
/* The program in gdb: real threads, one job, stopped where the run fails. */
#include "run/run_int.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Threads that exist but made no choice are not in the schedule. */
#define SPARE_STACKS 4u

static uint32_t stacks_for(const run_request *request)
{
    uint32_t most = 0;
    for (size_t i = 0; i < request->n_steps; i++)
        if (request->steps[i].thread > most)
            most = request->steps[i].thread;
    return most + SPARE_STACKS;
}

static void put_job(run_program *p, const run_request *request, uint32_t depth)
{
    run_ring ring = {.shm = p->shm};
    run_ring_reset(&ring);
    if (run_ring_put(&ring, request, depth))
        run_ring_flush(&ring);
}

/* gdb itself passes the descriptor and the environment on to the program. */
static void pass_on(const run_program *p)
{
    char number[16];
    snprintf(number, sizeof number, "%d", p->shm_fd);
    fcntl(p->shm_fd, F_SETFD, 0);
    setenv(WIRE_ENV_SHM, number, 1);
    setenv("LD_BIND_NOW", "1", 1);
}

TD_VEC(char *, word_vec);

td_status run_gdb(const run_opts *opts, const run_request *request, td_diag *diag)
{
    run_opts with_threads = *opts;
    run_program p = {0};
    with_threads.carrier = WIRE_CARRIER_THREADS;
    with_threads.keep_output = true;
    TD_TRY(run_program_check(opts->argv[0], diag));
    TD_TRY(run_shm_create(&with_threads, stacks_for(request), &p, diag));
    put_job(&p, request, opts->depth ? opts->depth : 1000000);
    pass_on(&p);
    static const char *const words[] = {
        "gdb",    "-q",
        "-ex",    "set breakpoint pending on",
        "-ex",    "set disable-randomization on",
        "-ex",    "set print thread-events off",
        "-ex",    "handle SIGSYS nostop noprint pass",
        "-ex",    "break __treadle_failed",
        "-ex",    "run",
        "-ex",    "bt",
        "-ex",    "info threads",
        "--args",
    };
    word_vec argv = {0};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        word_vec_push(&argv, td_strdup(words[i]));
    for (char *const *word = opts->argv; *word; word++)
        word_vec_push(&argv, *word);
    word_vec_push(&argv, NULL);
    execvp("gdb", argv.at);
    return td_diag_errno(diag, TD_E_SYSTEM, "gdb cannot be started");
}
