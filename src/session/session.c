/* SPDX-License-Identifier: Apache-2.0 */
/* A session from its start to its end: options, search, program, store; then the loop; then the result. */
#include "session/session_int.h"

#include <time.h>

#include "base/assert.h"

/* ---- signals ---- */

static sigset_t stop_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

/* Called once the program is started, so that it does not inherit the blocked signals. */
static void signals_hold(ses *s)
{
    TD_ASSERT(!s->signals_held);
    sigset_t held = stop_signals();
    sigprocmask(SIG_BLOCK, &held, &s->signals_before);
    s->signals_held = true;
}

/* Signals that arrived were handled already; drop them before they are unblocked. */
static void signals_release(ses *s)
{
    sigset_t held = stop_signals();
    const struct timespec at_once = {0};
    if (!s->signals_held)
        return;
    while (sigtimedwait(&held, NULL, &at_once) > 0)
        ;
    sigprocmask(SIG_SETMASK, &s->signals_before, NULL);
}

/* ---- start ---- */

static ses_opts with_defaults(const ses_opts *given)
{
    ses_opts o = *given;
    o.version = o.version ? o.version : "unknown";
    o.depth = o.depth ? o.depth : SES_DEPTH;
    const xpl_search *search = o.search ? xpl_search_find(o.search) : NULL;
    o.is_default = !o.goal && !o.search;
    if (!o.goal)
        o.goal = search && search->goal     ? search->goal
                 : o.certificate && !search ? "traces"
                                            : "states";
    const xpl_goal *goal = xpl_goal_find(o.goal);
    o.keep_going |= goal && goal->keeps_going;
    bool takes_model = search && search->takes_model;
    if (takes_model && !o.model)
        o.model = "sc";
    if (!takes_model && o.model && strcmp(o.model, "sc") == 0) {
        o.model = NULL; /* the memory model of the other searches */
        o.only_sc = true;
    }
    return o;
}

static td_status no_search(const ses *s, td_diag *diag)
{
    td_text names = {0};
    for (const xpl_search *const *at = xpl_searches(); *at; at++)
        td_text_add(&names, "%s%s", names.len ? ", " : "", (*at)->name);
    td_diag_set(diag, TD_E_USAGE, "unknown search '%s' (known: %s)", s->opts->search,
                names.at);
    td_text_fini(&names);
    return TD_E_USAGE;
}

/* The default search of the goal; if preemptions are bounded and that search ignores them, the search all. */
static const xpl_search *default_search(const ses *s)
{
    const xpl_search *search = xpl_search_find(s->goal->search);
    TD_ASSERT(search); /* goals name existing searches */
    bool knows = (search->takes_preemptions || !s->opts->bounded) &&
                 (search->iterates || !s->opts->iterate);
    return knows ? search : xpl_search_find("all");
}

static td_status find_search(ses *s, td_diag *diag)
{
    const ses_opts *o = s->opts;
    s->goal = xpl_goal_find(o->goal);
    if (!s->goal)
        return td_diag_set(diag, TD_E_USAGE, "unknown goal '%s'", o->goal);
    s->search = o->search  ? xpl_search_find(o->search)
                : o->model ? &xpl_graphs
                           : default_search(s);
    if (o->fake_search)
        s->search = o->fake_search;
    if (!s->search)
        return no_search(s, diag);
    if (o->model && !s->search->takes_model)
        return td_diag_set(diag, TD_E_USAGE, "--model=%s needs the search graphs, not %s",
                           o->model, s->search->name);
    if (o->bounded && !s->search->takes_preemptions)
        return td_diag_set(diag, TD_E_USAGE,
                           "the search %s does not support --preemptions",
                           s->search->name);
    if (o->iterate && !s->search->iterates)
        return td_diag_set(diag, TD_E_USAGE, "the search %s does not support --iterate",
                           s->search->name);
    if (o->tail && (!s->search->takes_tail || o->bounded || o->iterate))
        return td_diag_set(diag, TD_E_USAGE, "%s does not support --tail",
                           s->search->takes_tail ? "a search by preemptions"
                                                 : s->search->name);
    TD_ASSERT(s->search->new && s->search->next && s->search->feed && s->search->lost &&
              s->search->free);
    return TD_OK;
}

/* Called while a run takes long. */
static bool goes_on(void *ctx)
{
    ses *s = ctx;
    ses_check_budget(s);
    if (!ses_is_over(s))
        return true;
    return s->runs_own && ses_elapsed_ms(s) < s->stop_ms + SES_LAST_MS;
}

/* Options and words of the command, a line each, for 'treadle run --resume' alone; none if one has a newline. */
static td_status store_words(ses *s, td_diag *diag)
{
    const ses_opts *o = s->opts;
    td_text text = {0};
    bool has_newline = false;
    td_text_add(&text, "%s--\n", o->words ? o->words : "");
    for (size_t i = 0; o->argv[i]; i++) {
        has_newline = has_newline || strchr(o->argv[i], '\n');
        td_text_add(&text, "%s\n", o->argv[i]);
    }
    td_status status =
        has_newline ? TD_OK : sto_session_fact(s->store, "words", text.at, diag);
    td_text_fini(&text);
    return status;
}

/* The only use of calendar time: files for other programs need a date. */
static td_status store_start(ses *s, td_diag *diag)
{
    static const char *const results[] = {"verdict", "stopped", "digest", "json",
                                          "summary"};
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    /* A reader of a session that was resumed and killed must not find its old result. */
    for (size_t i = 0; s->opts->resume && i < sizeof results / sizeof results[0]; i++)
        TD_TRY(sto_session_fact(s->store, results[i], "", diag));
    TD_TRY(store_words(s, diag));
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    return sto_session_fact(s->store, "started", text, diag);
}

/* A new session, or the one to continue with. */
static td_status open_store(ses *s, td_diag *diag)
{
    const ses_opts *o = s->opts;
    if (!o->resume)
        return sto_session_create(o->out_dir, o->argv[0], &s->store, diag);
    td_text latest = {0};
    td_text_add(&latest, "%s/latest", sto_out_dir());
    td_status status =
        sto_session_open(o->out_dir ? o->out_dir : latest.at, &s->store, diag);
    td_text_fini(&latest);
    if (status == TD_OK) /* it may have ended before it was written */
        status = sto_session_fact(s->store, "program", o->argv[0], diag);
    /* The user named the file, so an unreadable file is a usage error. */
    return status == TD_E_FORMAT ? TD_E_USAGE : status;
}

/* A search that is shared from the first run on. */
static td_status share(ses *s, td_diag *diag)
{
    const ses_opts *o = s->opts;
    s->was_shared = o->farm || o->join || (o->resume && !s->search->load);
    if (o->join)
        return o->sharing->join(s->sharer, diag);
    if (o->resume && s->search->load)
        ses_saved_resume(s);
    else if (o->resume)
        return o->sharing->resume(s->sharer, diag);
    return o->farm ? o->sharing->begin(s->sharer, diag) : TD_OK;
}

static bool needs_following(const ses *s)
{
    return s->search->follows || s->opts->keep_runs || (s->goal->bit & XPL_BRANCHES);
}

static run_opts run_opts_of(ses *s)
{
    const ses_opts *o = s->opts;
    return (run_opts){.argv = o->argv,
                      .restart = o->restart,
                      .carrier = o->carrier,
                      .timeout_ms = o->timeout_ms,
                      .depth = o->depth,
                      .heap_limit = o->heap_limit,
                      .aslr = o->aslr,
                      .keep_files = o->keep_files,
                      .output = o->output,
                      .given = o->given,
                      .follows = needs_following(s),
                      .goes_on = goes_on,
                      .ctx = s};
}

static td_status start(ses *s, td_diag *diag)
{
    const ses_opts *o = s->opts;
    TD_TRY(find_search(s, diag));
    s->sharer = o->sharing ? o->sharing->new (s) : NULL;
    TD_TRY(ses_suppress_open(s, diag));
    s->ledger.trust = &o->trust;
    s->run_with = run_opts_of(s);
    TD_TRY(s->exec->open(&s->run_with, &s->run, diag));
    signals_hold(s);
    TD_TRY(ses_certificate_start(s, diag));
    ses_memory_start(s);
    TD_TRY(open_store(s, diag));
    TD_TRY(store_start(s, diag));
    s->start_ms = s->exec->now_ms(s->run);
    ses_explorer_start(s);
    ses_coverage_start(s);
    ses_progress_start(s);
    ses_suppress_say(s);
    TD_TRY(ses_known_check(s, diag));
    return share(s, diag);
}

static void finish(ses *s)
{
    ses_flight_fini(s);
    if (s->sharer)
        s->opts->sharing->free(s->sharer);
    s->sharer = NULL;
    ses_solver_free(s);
    if (s->explorer)
        s->search->free(s->explorer);
    if (s->store)
        sto_session_close(s->store);
    ses_runners_close(s);
    if (s->run)
        s->exec->close(s->run);
    ses_certificate_drop(s);
    td_free(s->depth.gap);
    xpl_census_fini(&s->census);
    xpl_spread_fini(&s->spread);
    xpl_alternatives_fini(&s->alternatives);
    det_ledger_fini(&s->ledger);
    ses_doubt_vec_fini(&s->doubts);
    trc_promoted_vec_fini(&s->promoted);
    trc_promoted_vec_fini(&s->wanted);
    trc_u32_vec_fini(&s->unordered);
    trc_u64_vec_fini(&s->orders_seen);
    td_id_set_fini(&s->known_races);
    td_id_set_fini(&s->sides);
    td_id_set_fini(&s->decided);
    ses_shared_fini(&s->shared);
    td_text_fini(&s->handed.why);
    ses_events_drop(s);
    ses_known_fini(s);
    td_id_set_fini(&s->covered);
    ses_reports_fini(s);
    ses_suppress_close(s);
}

/* ---- public ---- */

td_status ses_run(const ses_opts *opts, const ses_exec *exec, ses_result *out,
                  td_diag *diag)
{
    TD_ASSERT(opts->argv && opts->argv[0]);
    TD_ASSERT(opts->sharing || !(opts->join || opts->resume || opts->farm));
    *out = (ses_result){0};
    const ses_opts full = with_defaults(opts);
    ses *s = td_alloc(sizeof *s);
    s->opts = &full;
    s->exec = exec;
    s->result = out;
    s->out = full.out ? full.out : stdout;

    td_status status = start(s, diag);
    if (status == TD_OK)
        status = ses_explore(s, diag);
    if (status == TD_OK)
        status = ses_leave(s, diag);
    if (status == TD_OK)
        status = ses_is_shared(s) ? s->opts->sharing->end(s->sharer, diag) : TD_OK;
    ses_certificate_close(s);
    if (status == TD_OK)
        status = ses_weaker_explore(s, diag);
    if (status == TD_OK)
        status = ses_known_publish(s, diag);
    ses_progress_clear(s);
    if (status == TD_OK)
        status = ses_reports_end(s, diag);
    if (status == TD_OK) {
        ses_saved_keep(s);
        ses_conclude(s);
        status = ses_result_print(s, diag);
        ses_keep_say(s);
    }
    if (status == TD_OK) {
        status = ses_certificate_end(s, diag);
    }
    ses_memory_end(s, status, diag);
    ses_reports_flush(s);
    finish(s);
    signals_release(s);
    td_free(s);
    return status;
}

void ses_result_fini(ses_result *r)
{
    for (size_t i = 0; i < r->findings.len; i++)
        det_finding_fini(&r->findings.at[i]);
    ses_finding_vec_fini(&r->findings);
    for (size_t i = 0; i < r->shown_inputs.len; i++)
        ses_shown_inputs_fini(&r->shown_inputs.at[i]);
    ses_shown_inputs_vec_fini(&r->shown_inputs);
    for (size_t i = 0; i < r->recordings.len; i++)
        td_free(r->recordings.at[i]);
    ses_text_vec_fini(&r->recordings);
    td_free(r->stopped);
    td_free(r->weaker.stopped);
    ses_branches_fini(&r->branches);
    det_coverage_fini(&r->coverage);
    *r = (ses_result){0};
}
