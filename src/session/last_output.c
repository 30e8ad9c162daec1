/* SPDX-License-Identifier: Apache-2.0 */
/* The last lines that the run of a finding wrote. They often name the error. */
#include "session/session_int.h"

#include "base/assert.h"
#include "report/text/lines.h"

#define MOST_LINES 8u
#define MOST_COLUMNS 200u /* of a line */

/* The output does not help for a race or a leak. A hang would take its time limit once more, and its recording
 * may stop elsewhere. */
static bool is_worth_it(det_kind kind)
{
    return kind != DET_RACE && kind != DET_LEAK && kind != DET_HANG && kind != DET_NONDET;
}

/* Returns the last lines, each truncated, without control characters; NULL if there are none. */
static char *last_lines(const td_text *written)
{
    size_t end = written->len, from, n = 0;
    while (end > 0 && (written->at[end - 1] == '\n' || written->at[end - 1] == ' '))
        end--;
    for (from = end; from > 0; from--)
        if (written->at[from - 1] == '\n' && ++n == MOST_LINES)
            break;
    td_text out = {0};
    while (from < end) {
        td_text line = {0};
        const char *stop = memchr(written->at + from, '\n', end - from);
        size_t len = stop ? (size_t)(stop - written->at) - from : end - from;
        for (size_t i = 0; i < len; i++)
            td_text_put(&line, written->at[from + i] ? written->at + from + i : "?", 1);
        rep_put_cut(&out, line.len ? line.at : "", MOST_COLUMNS, REP_CUT_RIGHT);
        td_text_put(&out, "\n", 1);
        td_text_fini(&line);
        from += len + 1;
    }
    if (out.len == 0)
        return NULL;
    return out.at;
}

/* If the run cannot be repeated, the finding stays without output. */
void ses_last_output(ses *s, const ses_attempt *a, det_finding *f)
{
    td_text written[2] = {{0}, {0}};
    td_diag ignored = {0};
    if (!s->exec->last_output || !is_worth_it(f->kind) || ses_is_over(s) ||
        s->explain_is_cut)
        return;
    TD_ASSERT(!f->last_output);
    run_request request = ses_attempt_request(a, ses_replay_flags(f->kind) | a->flags);
    request.id = SES_OWN_JOB | ++s->n_own_jobs;
    request.depth = ses_depth_own(s);
    s->runs_own = true;
    td_status status = s->exec->last_output(&s->run_with, &request, written, &ignored);
    s->runs_own = false;
    f->is_output_errors = status == TD_OK && written[1].len > 0;
    if (status == TD_OK)
        f->last_output = last_lines(&written[f->is_output_errors]);
    td_text_fini(&written[0]);
    td_text_fini(&written[1]);
}
