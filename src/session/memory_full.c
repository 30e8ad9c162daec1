/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of our own (base/memory.h). Near the limit a session ends as one whose time is over; what is
 * left of a search that can be divided is written down in parts, each of which takes less. */
#include "session/session_int.h"

#include "base/assert.h"
#include "base/memory.h"

/* ---- going on later ---- */

/* What is left can be written down, whatever it was that ended the search, at no price. */
static bool leaves_rest(const ses *s)
{
    return s->search->parts && s->search->parts->rest && s->stop != SES_GO &&
           s->stop != SES_STOP_BUG;
}

/* Something was handed in, or the parts are smaller now: a session that is resumed gets further. */
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
    /* Where allocations fail already, the result comes first, and nothing new is begun. */
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

/* ---- the last word ---- */

static void count_nothing(const xpl *x, xpl_counts *out)
{
    *out = (xpl_counts){0};
}

/* What was found is stored and printed already. The explorer may be in the middle of a step: it is
 * no longer asked anything. */
static void last_word(void *ctx, const char *why)
{
    ses *s = ctx;
    td_diag diag = {0};
    if (s->opts->join || !s->opts->exits || !s->store)
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

/* A library that was out of memory, and said so, does not take the result with it; nor does a program
 * that ran before and can no longer be started, as where the kernel has ended it to get memory. */
void ses_memory_end(ses *s, td_status status, const td_diag *diag)
{
    bool has_run = status == TD_E_PROGRAM && s->census.n_runs > 0;
    if (status != TD_OK && diag && (has_run || td_memory_look() != TD_MEMORY_ENOUGH))
        last_word(s, diag->text);
    td_memory_last_word(NULL, NULL);
    td_memory_limit(0);
}
