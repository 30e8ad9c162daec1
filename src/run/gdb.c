/* SPDX-License-Identifier: Apache-2.0 */
/* The program in gdb: real threads, one job, stopped where the run fails. */
#include "run/run_int.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
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

/* A descriptor with the script in it, which gdb inherits; -1: none. Steps are written as hexadecimal
 * digits: lines of the program are in them. */
static int script_of(const run_program *p, bool goes_on, const char *steps)
{
    td_text text = {0};
    int fd = (int)syscall(SYS_memfd_create, "treadle-gdb", 0);
    td_text_add(
        &text,
        "python\nSCRIPT, SHM, HEAD, STOP_AT, ACTS, GOES_ON = %d, %d, %zu, %zu, %zu, %d\n"
        "STEPS = \"",
        fd, p->shm_fd, offsetof(wire_shm, jobs), offsetof(wire_shm, stop_at),
        offsetof(wire_shm, acts), goes_on);
    for (const char *c = steps; *c; c++)
        td_text_add(&text, "%02x", (unsigned char)*c);
    td_text_add(&text,
                "\"\n%send\ndefine hook-run\npython steps.begin()\nend\n"
                "define hook-next\npython leave_runtime()\nend\ndefine hook-step\npython "
                "leave_runtime()\nend\n",
                run_gdb_steps);
    bool is_whole = fd >= 0 && write(fd, text.at, text.len) == (ssize_t)text.len;
    td_text_fini(&text);
    return is_whole ? fd : -1;
}

TD_VEC(char *, word_vec);

td_status run_gdb(const run_opts *opts, const run_request *request, const char *steps,
                  td_diag *diag)
{
    run_opts with_threads = *opts;
    run_program p = {0};
    with_threads.carrier = WIRE_CARRIER_THREADS;
    with_threads.keep_output = true;
    TD_TRY(run_program_check(opts->argv[0], diag));
    TD_TRY(run_shm_create(&with_threads, stacks_for(request), &p, diag));
    put_job(&p, request, opts->depth ? opts->depth : 1000000);
    p.shm->is_debugged = 1;
    pass_on(&p);
    char script[32];
    /* The run continues after races that come before the one of the finding. */
    bool goes_on =
        (request->flags & WIRE_JOB_AFTER_FREE) && (request->flags & WIRE_JOB_RACE_ON);
    snprintf(script, sizeof script, "/proc/self/fd/%d", script_of(&p, goes_on, steps));
    const char *const words[] = {
        "gdb",    "-q",
        "-ex",    "set breakpoint pending on",
        "-ex",    "set disable-randomization on",
        "-ex",    "set print thread-events off",
        "-ex",    "handle SIGSYS nostop noprint pass",
        "-ex",    "break __treadle_failed",
        "-x",     script,
        "-ex",    "run",
        "-ex",    "bt",
        "-ex",    "treadle-threads",
        "--args", NULL,
    };
    /* The editor starts the program. Only the script may prepare it: commands print, and what is printed must be of
     * the protocol. */
    const char *const adapter_words[] = {"gdb",  "-q",     "-i=dap", "-x",
                                         script, "--args", NULL};
    word_vec argv = {0};
    for (const char *const *word = opts->dap ? adapter_words : words; *word; word++)
        word_vec_push(&argv, td_strdup(*word));
    for (char *const *word = opts->argv; *word; word++)
        word_vec_push(&argv, *word);
    word_vec_push(&argv, NULL);
    execvp("gdb", argv.at);
    return td_diag_errno(diag, TD_E_SYSTEM, "cannot start gdb");
}
