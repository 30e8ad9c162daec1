/* SPDX-License-Identifier: Apache-2.0 */
/* What a run wrote last: it is made once more, in a process of its own whose output goes to memory. */
#include "run/run_int.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_BYTES ((off_t)64 << 20) /* written; the run is given up beyond */

typedef struct watch {
    const run_opts *opts;
    int fds[2];
} watch;

static off_t size_of(int fd)
{
    struct stat s;
    return fstat(fd, &s) == 0 ? s.st_size : 0;
}

/* A program may write without end. */
static bool goes_on(void *ctx)
{
    const watch *w = ctx;
    if (size_of(w->fds[0]) > MOST_BYTES || size_of(w->fds[1]) > MOST_BYTES)
        return false;
    return !w->opts->goes_on || w->opts->goes_on(w->opts->ctx);
}

static void read_end(int fd, td_text *out)
{
    char end[RUN_LAST_BYTES];
    off_t size = size_of(fd), from = size > RUN_LAST_BYTES ? size - RUN_LAST_BYTES : 0;
    ssize_t n = pread(fd, end, sizeof end, from);
    if (n > 0)
        td_text_put(out, end, (size_t)n);
}

static td_status run_it(const run_opts *opts, const run_request *request, bool *is_made,
                        td_diag *diag)
{
    run *r = NULL;
    run_outcome outcome = RUN_IDLE;
    uint64_t job = 0;
    trc *t = NULL;
    TD_TRY(run_open(opts, &r, diag));
    td_status status = TD_OK;
    if (run_submit(r, request))
        status = run_next(r, &outcome, &job, &t, diag);
    *is_made = status == TD_OK && outcome == RUN_TRACE && t->fails.len > 0;
    run_close(r);
    return status;
}

td_status run_last_output(const run_opts *opts, const run_request *request,
                          td_text out[2], td_diag *diag)
{
    watch w = {
        opts, {memfd_create("stdout", MFD_CLOEXEC), memfd_create("stderr", MFD_CLOEXEC)}};
    run_opts kept = *opts;
    bool is_made = false;
    td_status status = TD_OK;
    kept.capture = w.fds;
    kept.goes_on = goes_on;
    kept.ctx = &w;
    if (w.fds[0] >= 0 && w.fds[1] >= 0)
        status = run_it(&kept, request, &is_made, diag);
    for (int i = 0; i < 2; i++) {
        if (is_made)
            read_end(w.fds[i], &out[i]);
        if (w.fds[i] >= 0)
            close(w.fds[i]);
    }
    return status;
}
