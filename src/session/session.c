/* SPDX-License-Identifier: Apache-2.0 */
#include "session/session_int.h"

#include <inttypes.h>
#include <math.h>
#include <sys/resource.h>
#include <time.h>

/* ---- signals ---- */

static sigset_t stop_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

/* Once the program is started, so that it does not inherit this. */
static void signals_hold(ses *s)
{
    sigset_t held = stop_signals();
    sigprocmask(SIG_BLOCK, &held, &s->signals_before);
    s->signals_held = true;
}

/* Signals that arrived have been obeyed; they must not end us now. */
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
    o.goal = o.goal ? o.goal : "states";
    o.depth = o.depth ? o.depth : SES_DEPTH;
    const xpl_goal *goal = xpl_goal_find(o.goal);
    o.keep_going |= goal && goal->keeps_going;
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

/* That of the goal; where preemptions are to matter and it does not know them, all does. */
static const xpl_search *default_search(const ses *s)
{
    const xpl_search *search = xpl_search_find(s->goal->search);
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
    s->search = o->search ? xpl_search_find(o->search) : default_search(s);
    if (o->fake_search)
        s->search = o->fake_search;
    if (!s->search)
        return no_search(s, diag);
    if (o->bounded && !s->search->takes_preemptions)
        return td_diag_set(diag, TD_E_USAGE,
                           "the search %s does not support --preemptions",
                           s->search->name);
    if (o->iterate && !s->search->iterates)
        return td_diag_set(diag, TD_E_USAGE, "the search %s does not support --iterate",
                           s->search->name);
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

/* The one look at the calendar: files that other programs read want a date. */
static td_status store_start(ses *s, td_diag *diag)
{
    static const char *const results[] = {"verdict", "stopped", "digest", "json",
                                          "summary"};
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    /* Who reads a session that was resumed and killed is not to take the last result for its. */
    for (size_t i = 0; s->opts->resume && i < sizeof results / sizeof results[0]; i++)
        TD_TRY(sto_session_fact(s->store, results[i], "", diag));
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    return sto_session_fact(s->store, "started", text, diag);
}

/* A new session, or the one to go on with. */
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
    return status;
}

static td_status start(ses *s, td_diag *diag)
{
    const ses_opts *o = s->opts;
    TD_TRY(find_search(s, diag));
    TD_TRY(ses_hush_open(s, diag));
    s->ledger.trust = &o->trust;
    run_opts run_with = {.argv = o->argv,
                         .restart = o->restart,
                         .carrier = o->carrier,
                         .timeout_ms = o->timeout_ms,
                         .depth = o->depth,
                         .heap_limit = o->heap_limit,
                         .aslr = o->aslr,
                         .given = o->given,
                         .goes_on = goes_on,
                         .ctx = s};
    TD_TRY(s->exec->open(&run_with, &s->run, diag));
    signals_hold(s);
    ses_memory_start(s);
    TD_TRY(open_store(s, diag));
    TD_TRY(store_start(s, diag));
    s->start_ms = s->exec->now_ms(s->run);
    ses_explorer_start(s);
    ses_coverage_start(s);
    ses_progress_start(s);
    ses_hush_say(s);
    TD_TRY(ses_known_check(s, diag));
    if (o->join)
        return ses_team_join(s, diag);
    if (o->resume)
        return ses_team_resume(s, diag);
    return o->farm ? ses_team_begin(s, diag) : TD_OK;
}

static void finish(ses *s)
{
    ses_team_fini(s);
    ses_solver_free(s);
    if (s->explorer)
        s->search->free(s->explorer);
    if (s->store)
        sto_session_close(s->store);
    if (s->run)
        s->exec->close(s->run);
    xpl_census_fini(&s->census);
    xpl_spread_fini(&s->spread);
    det_ledger_fini(&s->ledger);
    ses_doubt_vec_fini(&s->doubts);
    trc_promoted_vec_fini(&s->promoted);
    trc_promoted_vec_fini(&s->wanted);
    trc_u32_vec_fini(&s->unordered);
    td_id_set_fini(&s->known_races);
    td_id_set_fini(&s->sides);
    td_id_set_fini(&s->decided);
    ses_shared_fini(&s->shared);
    ses_events_drop(s);
    ses_known_fini(s);
    td_id_set_fini(&s->covered);
    ses_hush_close(s);
}

/* ---- result ---- */

static const char *verdict_word(ses_verdict v)
{
    switch (v) {
    case SES_BUG:
        return "bug";
    case SES_COMPLETE:
        return "complete";
    case SES_INCOMPLETE:
        break;
    }
    return "incomplete";
}

void ses_command_text(const ses *s, td_text *out)
{
    for (size_t i = 0; s->opts->argv[i]; i++)
        td_text_add(out, "%s%s", i ? " " : "", s->opts->argv[i]);
}

/* One per finding; belongs to the caller. */
static rep_inputs *inputs_view(const ses_result *r)
{
    rep_inputs *views = td_alloc((r->told.len + 1) * sizeof *views);
    for (size_t i = 0; i < r->told.len; i++)
        views[i] = ses_told_view(&r->told.at[i]);
    return views;
}

static rep_bound bound_view(const ses *s)
{
    xpl_preemptions p = {0};
    if (s->search->preemptions)
        s->search->preemptions(s->explorer, &p);
    return (rep_bound){.is_set = p.is_bounded,
                       .n_over = p.n_over,
                       .completed = p.completed,
                       .what = p.what,
                       .done = p.done};
}

static rep_branches branches_view(const ses *s)
{
    const ses_branches *b = &s->result->branches;
    return (rep_branches){.is_goal = (s->goal->bit & XPL_BRANCHES) != 0,
                          .n_sides = b->n_sides,
                          .n_taken = b->n_taken,
                          .n_candidates = b->n_candidates,
                          .by_degree = b->by_degree.at,
                          .n_degrees = b->by_degree.len,
                          .never = b->never.at,
                          .n_never = b->never.len};
}

static rep_farm farm_view(const ses *s)
{
    const ses_team *t = &s->team;
    return (rep_farm){.is_set = s->opts->farm && t->link && t->is_leader,
                      .parts = t->total.n_parts,
                      .others = t->others.n,
                      .others_parts = t->others.parts,
                      .others_runs = t->others.runs,
                      .checked = t->samples.n_checked,
                      .agreed = t->samples.n_agreed,
                      .given_up = t->samples.n_given_up};
}

static rep_left left_view(const ses *s)
{
    const ses_now *n = &s->last;
    return (rep_left){.targets = n->targets,
                      .is_known = n->remaining.is_known,
                      .share = n->remaining.share,
                      .seconds = (double)n->remaining.ms / 1000};
}

/* Runs stand for all orders of their moves. Where traces are not counted, there may be some that
 * no run had; where traces are run again and again, runs are no fair sample of them. */
static rep_saved saved_view(const ses *s)
{
    double each = xpl_spread_log2(&s->spread);
    uint64_t n = xpl_counts_traces(s->search) ? s->result->traces : s->result->runs;
    if (each < 0 || n == 0 || s->result->repeated_runs * 10 > s->result->runs)
        return (rep_saved){0};
    return (rep_saved){.is_known = true,
                       .log2 = each + log2((double)n),
                       .is_at_least =
                           s->result->stopped || !xpl_counts_traces(s->search)};
}

/* ---- what no search covers, by what the program calls ---- */

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Some place calls one of them. */
static bool calls_any(const ses *s, const char *const *names)
{
    const trc_sites *sites = s->exec->sites(s->run);
    for (uint32_t i = 0; i < trc_sites_end(sites); i++) {
        trc_site at = trc_site_at(sites, i);
        if (at.kind == WIRE_SITE_CALL && is_one_of(at.callee, names))
            return true;
    }
    return false;
}

/* It waits at condition variables, but where a wake-up for no reason was tried. */
static bool has_quiet_waits(const ses *s)
{
    static const char *const waits[] = {
        "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait",
        "cnd_wait",          "cnd_timedwait",          NULL};
    const trc_sites *sites = s->exec->sites(s->run);
    if (s->opts->given.spurious > 1)
        return false;
    for (uint32_t i = 0; i < trc_sites_end(sites); i++) {
        trc_site at = trc_site_at(sites, i);
        bool is_tried = s->opts->given.spurious == 0 && at.size == WIRE_CALL_ONCE;
        if (at.kind == WIRE_SITE_CALL && !is_tried && is_one_of(at.callee, waits))
            return true;
    }
    return false;
}

/* It waits for signals or handles them: none comes from outside. */
static bool has_outside_signals(const ses *s)
{
    static const char *const calls[] = {"sigwait",    "sigwaitinfo", "sigtimedwait",
                                        "sigsuspend", "pause",       "sigaction",
                                        "signal",     NULL};
    return calls_any(s, calls);
}

/* Threads that free what others may get. */
static bool has_quiet_frees(const ses *s)
{
    static const char *const frees[] = {"free", "realloc", "reallocarray", NULL};
    static const char *const creates[] = {"pthread_create", "thrd_create", NULL};
    return !s->opts->given.reuse && calls_any(s, frees) && calls_any(s, creates);
}

static rep_result result_view(const ses *s, const char *command, const rep_inputs *inputs)
{
    const ses_result *r = s->result;
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    return (rep_result){
        .version = s->opts->version,
        .program = command,
        .goal = s->goal->name,
        .search = s->search->name,
        .chosen = ses_chosen(s),
        .verdict = verdict_word(r->verdict),
        .stopped = r->stopped,
        .covers = ses_covers(s),
        .preemptions = bound_view(s),
        .rules_out = s->goal->rules_out,
        .promoted = s->promoted.len,
        .runs = r->runs,
        .blocked_runs = r->blocked_runs,
        .events = r->events,
        .traces = r->traces,
        .whole_traces = r->whole_traces,
        .repeated_runs = r->repeated_runs,
        .trace_digest = r->trace_digest,
        .traces_counted = xpl_counts_traces(s->search),
        .digest = r->digest,
        .findings = r->findings.at,
        .recordings = r->recordings.at,
        .inputs = inputs,
        .n_findings = r->findings.len,
        .most_inputs = r->inputs,
        .quiet_waits = has_quiet_waits(s),
        .outside_signals = has_outside_signals(s),
        .quiet_frees = has_quiet_frees(s),
        .ledger = &s->ledger,
        .branches = branches_view(s),
        .solver = ses_solver_view(s),
        .left = left_view(s),
        .saved = saved_view(s),
        .at_limit = (s->stop != SES_GO && s->stop != SES_STOP_BUG) || s->at_runs,
        .at_memory = s->stop == SES_STOP_MEMORY,
        .can_resume = s->team.link && s->team.is_leader,
        .farm = farm_view(s),
        .seconds = r->seconds,
        .peak_rss_kb = (uint64_t)usage.ru_maxrss,
    };
}

/* What is printed and written, once more for treadle report; as wide as a page. */
static td_status store_texts(ses *s, const rep_result *r, td_diag *diag)
{
    td_text json = {0}, text = {0};
    td_status status = TD_OK;
    rep_result_json(r, &json);
    rep_result_text(r, &(rep_opts){0}, &text);
    if (s->opts->json)
        status = td_file_write(s->opts->json, json.at, json.len, diag);
    if (status == TD_OK)
        status = sto_session_fact(s->store, "json", json.at, diag);
    if (status == TD_OK)
        status = sto_session_fact(s->store, "summary", text.at, diag);
    td_text_fini(&json);
    td_text_fini(&text);
    return status;
}

td_status ses_result_print(ses *s, td_diag *diag)
{
    td_text command = {0}, text = {0};
    ses_command_text(s, &command);
    rep_inputs *inputs = inputs_view(s->result);
    rep_result r = result_view(s, command.at, inputs);
    ses_progress_clear(s);
    rep_result_text(&r, &s->opts->report, &text);
    fwrite(text.at, 1, text.len, s->out);
    fflush(s->out);
    td_status status = store_texts(s, &r, diag);
    if (status == TD_OK)
        status = ses_store_result(s, &r, diag);
    td_free(inputs);
    td_text_fini(&text);
    td_text_fini(&command);
    return status;
}

/* ---- public ---- */

td_status ses_run(const ses_opts *opts, const ses_exec *exec, ses_result *out,
                  td_diag *diag)
{
    TD_ASSERT(opts->argv && opts->argv[0]);
    *out = (ses_result){0};
    const ses_opts full = with_defaults(opts);
    ses *s = td_alloc(sizeof *s);
    s->opts = &full;
    s->exec = exec;
    s->result = out;
    s->out = full.out ? full.out : stdout;

    td_status status = start(s, diag);
    if (status == TD_OK)
        status = ses_loop(s, diag);
    if (status == TD_OK && s->stop == SES_STOP_MEMORY)
        status = ses_memory_leave(s, diag);
    if (status == TD_OK)
        status = ses_team_end(s, diag);
    if (status == TD_OK)
        status = ses_known_publish(s, diag);
    ses_progress_clear(s);
    if (status == TD_OK) {
        ses_conclude(s);
        status = ses_result_print(s, diag);
        ses_keep_say(s);
    }
    ses_memory_end(s, status, diag);
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
    for (size_t i = 0; i < r->told.len; i++)
        ses_told_fini(&r->told.at[i]);
    ses_told_vec_fini(&r->told);
    for (size_t i = 0; i < r->recordings.len; i++)
        td_free(r->recordings.at[i]);
    ses_text_vec_fini(&r->recordings);
    td_free(r->stopped);
    ses_branches_fini(&r->branches);
    det_coverage_fini(&r->coverage);
    *r = (ses_result){0};
}
