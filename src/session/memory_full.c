/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of treadle itself (base/memory.h). Near the limit a session ends as at the time limit. If the
 * search can be divided, its remaining work is saved in parts that each take less memory. */
#include "session/session_int.h"

#include "base/assert.h"
#include "base/memory.h"

/* ---- saving the remaining work ---- */

/* True if the remaining work can be saved, whatever ended the search. */
static bool leaves_rest(const ses *s)
{
    return s->search->parts && s->search->parts->rest && s->stop != SES_GO &&
           s->stop != SES_STOP_BUG;
}

/* True if an item was completed, or the items are smaller now: a resumed session makes progress. */
td_status ses_leave(ses *s, td_diag *diag)
{
    char limit[32];
    uint64_t n_parts = 0;
    if (s->stop == SES_GO && ses_at_runs(s))
        s->stop = SES_STOP_RUNS;
    if (s->stop != SES_STOP_MEMORY && !leaves_rest(s))
        return TD_OK;
    TD_ASSERT(!s->is_leaving);
    td_size_print(s->all_memory, limit);
    s->is_leaving = true;
    s->stopper.is_set = false;
    s->staged = false;
    if (s->search->parts)
        s->search->parts->leave(s->explorer);
    /* If allocations fail already, only the result is saved, and no work is started. */
    if (!ses_is_shared(s) && ses_can_share(s) && !s->opts->join &&
        s->memory != TD_MEMORY_FAILED)
        TD_TRY(s->opts->sharing->begin(s->sharer, diag));
    if (ses_is_shared(s))
        TD_TRY(s->opts->sharing->leave(s->sharer, &n_parts, diag));
    s->is_leaving = false;
    if (ses_is_shared(s) && n_parts == 0 && s->stop == SES_STOP_MEMORY)
        ses_say(s,
                "no part of the search fits in %s of memory: continue with a higher "
                "--own-memory",
                limit);
    return TD_OK;
}

/* ---- out of memory ---- */

static void count_nothing(const xpl *x, xpl_counts *out)
{
    *out = (xpl_counts){0};
}

/* Findings are stored already. The explorer may be in the middle of a step, so it is not used
 * any further. */
static void last_word(void *ctx, const char *why)
{
    ses *s = ctx;
    td_diag diag = {0};
    if (s->opts->join || !s->opts->exits || !s->store)
        return;
    ses_reports_flush(s); /* what follows may need more memory than there is */
    if (td_memory_crashed())
        return;
    const xpl_search none = {.name = s->search->name,
                             .covers = s->search->covers,
                             .count = count_nothing};
    ses_result *r = s->result;
    s->search = &none;
    s->solver = NULL;
    s->stop = SES_STOP_MEMORY;
    det_ledger_add(&s->ledger, "memory", "", 0, why);
    r->stopped = td_strdup(why);
    r->runs = s->census.n_runs;
    r->seconds = (double)ses_elapsed_ms(s) / 1000;
    r->verdict = ses_verdict(s);
    s->events = (ses_events){.too_many = true};
    if (ses_result_print(s, &diag) != TD_OK)
        fprintf(stderr, "treadle: %s\n", diag.text);
    fflush(NULL);
    s->opts->exits(r->verdict);
}

void ses_memory_start(ses *s)
{
    uint32_t n = ses_can_share(s) && s->opts->self ? s->opts->jobs : 1;
    uint64_t all = s->opts->own_memory ? s->opts->own_memory : td_memory_default();
    s->all_memory = all;
    s->own_memory = all / (n ? n : 1);
    TD_ASSERT(s->own_memory <= s->all_memory);
    td_memory_limit(s->own_memory);
    td_memory_last_word(last_word, s);
}

/* The result is still printed if a library exits because it is out of memory, or if a program that ran before
 * can no longer be started, for example because the kernel killed it to free memory. */
void ses_memory_end(ses *s, td_status status, const td_diag *diag)
{
    bool has_run = status == TD_E_PROGRAM && s->census.n_runs > 0;
    if (status != TD_OK && diag && (has_run || td_memory_look() != TD_MEMORY_ENOUGH))
        last_word(s, diag->text);
    td_memory_last_word(NULL, NULL);
    td_memory_limit(0);
}
