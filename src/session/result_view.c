/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the result of a session that report/ prints and store/ saves. */
#include "session/session_int.h"

#include <math.h>
#include <sys/resource.h>

#include "base/assert.h"

#define FAR_MS (UINT64_C(10) * 24 * 3600 * 1000) /* ten days */

/* One per finding; belongs to the caller. */
static rep_inputs *inputs_view(const ses_result *r)
{
    rep_inputs *views = td_alloc((r->shown_inputs.len + 1) * sizeof *views);
    for (size_t i = 0; i < r->shown_inputs.len; i++)
        views[i] = ses_shown_inputs_view(&r->shown_inputs.at[i]);
    return views;
}

static rep_fix *fixes_view(const ses *s)
{
    rep_fix *views = td_alloc((s->result->findings.len + 1) * sizeof *views);
    for (size_t i = 0; i < s->reports.len && i < s->result->findings.len; i++)
        views[i] = s->reports.at[i].fix;
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

static rep_depth depth_view(const ses *s)
{
    const ses_depth *d = &s->depth;
    return (rep_depth){
        .is_set = d->now > 0, .now = d->now, .completed = d->completed, .gap = d->gap};
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
    ses_shared_sum sum = ses_sum(s);
    return (rep_farm){.is_set = s->opts->farm && sum.is_leader,
                      .parts = sum.n_parts,
                      .others = sum.n_others,
                      .others_parts = sum.others_parts,
                      .others_runs = sum.others_runs,
                      .checked = sum.n_checked,
                      .agreed = sum.n_agreed,
                      .given_up = sum.n_given_up};
}

static rep_left left_view(const ses *s)
{
    const ses_now *n = &s->last;
    return (rep_left){.targets = n->targets,
                      .is_known = n->remaining.is_known,
                      .share = n->remaining.share,
                      .seconds = (double)n->remaining.ms / 1000};
}

/* Estimates the number of interleavings: each run represents all orders of its moves. There is no estimate
 * if traces are not counted, since some may be missing, or if traces are run repeatedly, since runs are then
 * not a fair sample. */
static rep_saved saved_view(const ses *s)
{
    double each = xpl_spread_log2(&s->spread);
    uint64_t n = xpl_counts_traces(s->search) ? s->result->traces : s->result->runs;
    if (each < 0 || n == 0 || s->result->repeated_runs * 10 > s->result->runs)
        return (rep_saved){0};
    TD_ASSERT(s->search->covers); /* runs are counted for searches that cover something */
    return (rep_saved){.is_known = true,
                       .log2 = each + log2((double)n),
                       .is_at_least =
                           s->result->stopped || !xpl_counts_traces(s->search)};
}

/* ---- what no search covers, from the functions that the program calls ---- */

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* True if the program has a call of one of them. */
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

/* True if some wait on a condition variable was never tried with a spurious wakeup. */
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

/* True if the program waits for or handles signals; treadle sends none from outside. */
static bool has_outside_signals(const ses *s)
{
    static const char *const calls[] = {"sigwait",    "sigwaitinfo", "sigtimedwait",
                                        "sigsuspend", "pause",       "sigaction",
                                        "signal",     NULL};
    return calls_any(s, calls);
}

/* True if threads free memory that others could reuse. */
static bool has_quiet_frees(const ses *s)
{
    static const char *const frees[] = {"free", "realloc", "reallocarray", NULL};
    static const char *const creates[] = {"pthread_create", "thrd_create", NULL};
    return !s->opts->given.reuse && calls_any(s, frees) && calls_any(s, creates);
}

/* ---- all of it ---- */

static rep_result result_view(const ses *s, const char *command, const rep_inputs *inputs,
                              const rep_fix *fixes, const rep_large *large)
{
    const ses_result *r = s->result;
    TD_ASSERT(r->recordings.len == r->findings.len &&
              r->shown_inputs.len == r->findings.len);
    TD_ASSERT(r->verdict != REP_VERDICT_COMPLETE ||
              (!r->stopped && r->findings.len == 0)); /* (L3) */
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    return (rep_result){
        .version = s->opts->version,
        .program = command,
        .goal = s->goal->name,
        .model = s->opts->model,
        .weaker = {.model = r->weaker.model,
                   .runs = r->weaker.runs,
                   .stopped = r->weaker.stopped},
        .search = s->search->name,
        .chosen = ses_chosen(s),
        .output = s->opts->output ? s->opts->output : "",
        .verdict = r->verdict,
        .stopped = r->stopped,
        .covers = ses_covers(s),
        .preemptions = bound_view(s),
        .depth = depth_view(s),
        .rules_out = s->goal->rules_out,
        .leaves_out = s->goal->leaves_out,
        .promoted = s->promoted.len,
        .runs = r->runs,
        .blocked_runs = r->blocked_runs,
        .events = r->events,
        .traces = r->traces,
        .pairs = xpl_n_pairs(s->explorer),
        .earlier_runs = xpl_n_earlier(s->explorer),
        .whole_traces = r->whole_traces,
        .repeated_runs = r->repeated_runs,
        .trace_digest = r->trace_digest,
        .traces_counted = ses_counts_traces(s),
        .events_counted = ses_counts_events(s),
        .digest = r->digest,
        .findings = r->findings.at,
        .recordings = r->recordings.at,
        .inputs = inputs,
        .fixes = fixes,
        .n_findings = r->findings.len,
        .most_inputs = r->inputs,
        .all_exit = s->ends.differ ? 0 : s->ends.exit_code,
        .most_threads = s->ends.most_threads,
        .is_endless = xpl_product_has_cycles(s->explorer),
        .quiet_waits = has_quiet_waits(s),
        .outside_signals = has_outside_signals(s),
        .quiet_frees = has_quiet_frees(s),
        .ledger = &s->ledger,
        .branches = branches_view(s),
        .solver = ses_solver_view(s),
        .left = left_view(s),
        .saved = saved_view(s),
        .large = large,
        .at_limit = (s->stop != SES_GO && s->stop != SES_STOP_BUG) || s->at_runs,
        .at_bug = s->stop == SES_STOP_BUG,
        .at_memory = s->stop == SES_STOP_MEMORY,
        .can_iterate = s->search->iterates,
        .is_far = s->search->covers && s->last.remaining.is_known &&
                  s->last.remaining.ms > FAR_MS,
        .can_resume = ses_sum(s).is_leader || xpl_can_save(s->explorer),
        .farm = farm_view(s),
        .seconds = r->seconds,
        .peak_rss_kb = (uint64_t)usage.ru_maxrss,
    };
}

/* Stores the printed summary and its JSON in the session, for treadle report. */
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
    rep_large large = ses_large(s);
    rep_fix *fixes = fixes_view(s);
    rep_result r = result_view(s, command.at, inputs, fixes, &large);
    ses_progress_clear(s);
    rep_result_text(&r, &s->opts->report, &text);
    fwrite(text.at, 1, text.len, s->out);
    fflush(s->out);
    td_status status = store_texts(s, &r, diag);
    if (status == TD_OK)
        status = ses_store_result(s, &r, diag);
    ses_large_fini(&large);
    td_free(inputs);
    td_free(fixes);
    td_text_fini(&text);
    td_text_fini(&command);
    return status;
}
