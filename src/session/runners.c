/* SPDX-License-Identifier: Apache-2.0 */
/* Several executors for one sampling search. Jobs within a window are independent, and runs are taken in the
 * order in which their jobs were submitted, whichever executor ran them. So the same seed gives the same session
 * for every -j, and one search knows everything that was covered. */
#include "session/session_int.h"

#include "base/assert.h"

#define ALONE_MS 1000u /* a session that is over sooner needs one only */

/* True if more executors may be opened. With --keep-files or --output there is only one. */
static bool can_be_more(const ses *s)
{
    const ses_opts *o = s->opts;
    return (s->search->samples || s->search->may_sample) && o->jobs > 1 &&
           s->exec->begin && !o->join && !o->keep_files && !o->output && !o->aslr;
}

/* Starts another executor. False: its program has other addresses, or cannot be started; no more are tried. */
static bool open_one(ses *s)
{
    td_diag none = {0};
    run *r = NULL;
    if (s->exec->open(&s->run_with, &r, &none) != TD_OK)
        return false;
    if (!s->exec->is_like(r, s->run)) {
        s->exec->close(r);
        return false;
    }
    s->more_runs[s->n_more_runs++] = r;
    return true;
}

void ses_runners_tick(ses *s)
{
    const ses_opts *o = s->opts;
    if (s->has_all_runs || ses_elapsed_ms(s) < (o->alone_ms ? o->alone_ms : ALONE_MS))
        return;
    uint32_t most = o->jobs > 0 ? o->jobs - 1 : 0;
    most = most < SES_MORE_RUNS ? most : SES_MORE_RUNS;
    while (can_be_more(s) && s->n_more_runs < most && open_one(s))
        ;
    s->has_all_runs = true;
}

run *ses_runner(const ses *s, uint32_t number)
{
    TD_ASSERT(number <= s->n_more_runs);
    return number == 0 ? s->run : s->more_runs[number - 1];
}

uint32_t ses_runner_idle(const ses *s)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i <= s->n_more_runs; i++)
        if (s->n_jobs_of_run[i] < s->n_jobs_of_run[best])
            best = i;
    return best;
}

bool ses_marked(const ses *s, uint32_t site, uint32_t side)
{
    for (uint32_t i = 0; i <= s->n_more_runs; i++)
        if (s->exec->marked(ses_runner(s, i), site, side))
            return true;
    return false;
}

void ses_runners_close(ses *s)
{
    while (s->n_more_runs > 0)
        s->exec->close(s->more_runs[--s->n_more_runs]);
}
