/* SPDX-License-Identifier: Apache-2.0 */
/* The real executor: run/, the clock and signals. */
#include "session/session.h"

#include <signal.h>

#include "base/now.h"

static uint64_t exec_now_ms(run *r)
{
    return td_now_ms();
}

/* The signals are blocked while a session runs, so polling them is enough. */
static bool exec_interrupted(run *r)
{
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1;
}

const ses_exec ses_exec_run = {
    .open = run_open,
    .close = run_close,
    .submit = run_submit,
    .next = run_next,
    .begin = run_begin,
    .is_like = run_is_like,
    .silent_ms = run_silent_ms,
    .lost_why = run_lost_why,
    .sites = run_sites,
    .namer = run_namer,
    .marked = run_marked,
    .last_output = run_last_output,
    .gdb = run_gdb,
    .now_ms = exec_now_ms,
    .interrupted = exec_interrupted,
};
