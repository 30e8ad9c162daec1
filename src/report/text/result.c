/* SPDX-License-Identifier: Apache-2.0 */
/* The session summary as text. The digest is printed only for a search that finished. */
#include "report/text/report_int.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"

#define MAX_LEDGER_ROWS 20u
#define MAX_NEVER 5u
#define MAX_CONDITION 40u

static void add_line(rep_row_vec *rows, const char *label, const char *text,
                     uint32_t columns)
{
    char first[64];
    int n = snprintf(first, sizeof first, "treadle:   %-11s  ", label);
    TD_ASSERT(n > 0 && (size_t)n < sizeof first);
    rep_wrap(rows, REP_PLAIN, (rep_lead){first, "treadle:                "}, text,
             columns);
}

/* The only finding is an exit that no run had otherwise: a failing test, whatever the schedule. */
static bool always_exits(const rep_result *r)
{
    return r->all_exit > 0 && r->n_findings == 1 && r->findings[0].always;
}

static void print_effort(const rep_result *r, td_text *out)
{
    char digest[33];
    td_id_print(r->digest, digest);
    td_text_add(out, "   ");
    td_count_print(r->runs, out);
    td_text_add(out, " run%s, %.2f s", r->runs == 1 ? "" : "s", r->seconds);
    if (r->stopped == NULL)
        td_text_add(out, ", digest %.16s", digest);
}

static void add_verdict(rep_row_vec *rows, const rep_result *r, uint32_t columns)
{
    td_text text = {0};
    if (always_exits(r))
        td_text_add(&text, "ALWAYS EXITS WITH %" PRIu64, r->all_exit);
    else if (r->verdict == REP_VERDICT_BUG)
        td_text_add(&text, "%zu BUG%s", r->n_findings, r->n_findings == 1 ? "" : "S");
    else
        td_text_add(&text, "%s", rep_verdict_of(r->verdict)->headline);
    print_effort(r, &text);
    rep_wrap(rows, REP_ERROR, (rep_lead){"treadle: ", NULL}, text.at, columns);
    td_text_fini(&text);
}

static void add_findings(rep_row_vec *rows, const rep_result *r, uint32_t columns)
{
    for (size_t i = 0; i < r->n_findings && r->n_findings > 1; i++) {
        const det_finding *f = &r->findings[i];
        td_text text = {0};
        td_text_add(&text, "%s  ", f->id);
        rep_put_clean(&text, f->file != NULL ? rep_base_name(f->file) : "?");
        if (f->line > 0)
            td_text_add(&text, ":%u", f->line);
        td_text_add(&text, ": ");
        rep_put_clean(&text, f->message != NULL ? f->message : "");
        add_line(rows, "found", text.at, columns);
        td_text_fini(&text);
    }
    if (r->verdict == REP_VERDICT_BUG && r->stopped != NULL) {
        td_text text = {0};
        rep_put_clean(&text, r->stopped);
        td_text_add(&text, "; more may exist");
        if (r->at_bug)
            td_text_add(&text, " (-k, --keep-going)");
        rep_wrap(rows, REP_PLAIN, (rep_lead){"treadle: ", NULL}, text.at, columns);
        td_text_fini(&text);
    }
}

/* The name of a function, without the library it is of. */
static size_t name_length(const det_gap *g)
{
    const char *image = strstr(g->text, " (");
    return image ? (size_t)(image - g->text) : strlen(g->text);
}

static bool is_named_before(const det_ledger *l, size_t at)
{
    const det_gap *g = &l->gaps.at[at];
    size_t n = name_length(g);
    for (size_t i = 0; i < at; i++)
        if (strcmp(l->gaps.at[i].kind, DET_TRUSTED) == 0 &&
            name_length(&l->gaps.at[i]) == n &&
            strncmp(l->gaps.at[i].text, g->text, n) == 0)
            return true;
    return false;
}

/* Functions that are not watched because the user trusts them. */
static void put_trusted(const det_ledger *l, td_text *out)
{
    const char *lead = ", trusted: ";
    for (size_t i = 0; l != NULL && i < l->gaps.len; i++) {
        const det_gap *g = &l->gaps.at[i];
        if (strcmp(g->kind, DET_TRUSTED) != 0 || is_named_before(l, i))
            continue;
        td_text name = {0};
        td_text_add(&name, "%.*s", (int)name_length(g), g->text);
        td_text_add(out, "%s", lead);
        rep_put_clean(out, name.at);
        td_text_fini(&name);
        lead = ", ";
    }
}

/* What is said of the memory model of a session. */
typedef struct model_words {
    const char *name, *under, *not_covered;
} model_words;

static const model_words *model_named(const char *name)
{
    static const model_words models[] = {
        {"sc", "sequential consistency", "weak memory"},
        {"tso", "TSO (the memory of x86)", "weaker memory than that of x86"},
        {"rc11", "RC11 (C11 without load buffering)", "load buffering"},
    };
    size_t i = sizeof models / sizeof models[0];
    while (i-- > 1)
        if (name && strcmp(name, models[i].name) == 0)
            return &models[i];
    return &models[0];
}

/* The weakest that was explored to its end. */
static const model_words *model_of(const rep_result *r)
{
    bool is_weaker = r->weaker.model && !r->weaker.stopped;
    return model_named(is_weaker ? r->weaker.model : r->model);
}

static void add_weaker(rep_row_vec *rows, const rep_result *r, uint32_t columns)
{
    td_text text = {0};
    if (!r->weaker.model || r->verdict == REP_VERDICT_BUG)
        return;
    td_text_add(&text, "%s: ", model_named(r->weaker.model)->under);
    if (!r->weaker.stopped)
        td_text_add(&text, "every execution graph was run, ");
    td_count_print(r->weaker.runs, &text);
    td_text_add(&text, " run%s", r->weaker.runs == 1 ? "" : "s");
    if (r->weaker.stopped) {
        td_text_add(&text, ", not all: ");
        rep_put_clean(&text, r->weaker.stopped);
        td_text_add(&text, " (--model=%s explores it alone)", r->weaker.model);
    }
    add_line(rows, "weak memory", text.at, columns);
    td_text_fini(&text);
}

static void add_not_covered(rep_row_vec *rows, const rep_result *r, uint32_t columns)
{
    td_text text = {0};
    td_text_add(&text, "%s, %s, failing malloc",
                r->most_inputs > 0 ? "other arguments, files" : "other inputs",
                model_of(r)->not_covered);
    td_text_add(&text, "%s%s%s", r->quiet_waits ? ", spurious wakeups (--spurious)" : "",
                r->outside_signals ? ", signals from outside" : "",
                r->quiet_frees ? ", addresses reused by other threads (--reuse)" : "");
    if (r->is_endless)
        td_text_add(&text, ", threads that wait while others run without end");
    if (r->leaves_out)
        td_text_add(&text, ", %s (--goal=states)", r->leaves_out);
    put_trusted(r->ledger, &text);
    add_line(rows, "not covered", text.at, columns);
    td_text_fini(&text);
}

static void add_covered(rep_row_vec *rows, const rep_result *r, uint32_t columns)
{
    td_text text = {0};
    if (r->verdict == REP_VERDICT_BUG)
        return;
    if (r->traces_counted) {
        td_count_print(r->traces, &text);
        td_text_add(&text, " distinct trace%s%s", r->traces == 1 ? "" : "s",
                    r->events_counted ? ", " : "");
    }
    if (r->events_counted) {
        td_count_print(r->events, &text);
        td_text_add(&text, " event%s", r->events == 1 ? "" : "s");
    } else if (!r->traces_counted) {
        td_count_print(r->runs, &text);
        td_text_add(&text, " random run%s (--census counts their traces and events)",
                    r->runs == 1 ? "" : "s");
    }
    if (r->pairs > 0) {
        td_text_add(&text, "; ");
        td_count_print(r->pairs, &text);
        td_text_add(&text, " pair%s of places", r->pairs == 1 ? "" : "s");
    }
    if (r->earlier_runs > 0) {
        td_text_add(&text, ", with ");
        td_count_print(r->earlier_runs, &text);
        td_text_add(&text, " run%s of earlier sessions", r->earlier_runs == 1 ? "" : "s");
    }
    if (r->blocked_runs > 0) {
        td_text_add(&text, "; ");
        td_count_print(r->blocked_runs, &text);
        td_text_add(&text, " blocked run%s", r->blocked_runs == 1 ? "" : "s");
    }
    if (r->repeated_runs > 0) {
        td_text_add(&text, "; ");
        td_count_print(r->repeated_runs, &text);
        td_text_add(&text, " redundant run%s", r->repeated_runs == 1 ? "" : "s");
    }
    add_line(rows, "covered", text.at, columns);
    td_text_fini(&text);
    add_weaker(rows, r, columns);
    add_not_covered(rows, r, columns);
}

static void put_checks(const rep_farm *f, td_text *out)
{
    TD_ASSERT(f->agreed <= f->checked);
    if (f->others_parts == 0 && f->checked == 0)
        return;
    td_text_add(out, "; ");
    if (f->checked > 0)
        td_count_print(f->checked, out);
    else
        td_text_add(out, "none");
    td_text_add(out, " of these repeated here");
    if (f->checked > 0 && f->agreed == f->checked)
        td_text_add(out, f->checked == 1 ? ", it agreed" : ", all agreed");
    else if (f->checked > 0)
        td_text_add(out, ", %" PRIu64 " agreed", f->agreed);
    if (f->given_up > 0)
        td_text_add(out, "; %" PRIu64 " not repeated in time", f->given_up);
}

/* "120 parts, 80 of them (66 %) by 3 other workers; 8 of these repeated here, all agreed" */
static void add_farm(rep_row_vec *rows, const rep_farm *f, uint32_t columns)
{
    td_text text = {0};
    if (!f->is_set)
        return;
    td_count_print(f->parts, &text);
    td_text_add(&text, " part%s, ", f->parts == 1 ? "" : "s");
    td_count_print(f->others_parts, &text);
    td_text_add(&text, " of them");
    if (f->parts > 0)
        td_text_add(&text, " (%.0f %%)",
                    floor(100 * (double)f->others_parts / (double)f->parts));
    td_text_add(&text, " by ");
    td_count_print(f->others, &text);
    td_text_add(&text, " other worker%s", f->others == 1 ? "" : "s");
    put_checks(f, &text);
    add_line(rows, "farm", text.at, columns);
    td_text_fini(&text);
}

/* Sides by the interferences they need, as in "14/8/2". */
static void put_degrees(const rep_branches *b, td_text *out)
{
    for (size_t i = 0; i < b->n_degrees; i++) {
        td_text_add(out, "%s", i ? "/" : " (");
        td_count_print(b->by_degree[i], out);
    }
    if (b->n_degrees > 0)
        td_text_add(out, " by interferences)");
}

/* "never true   bank.c:21 'argc != 3' (no input decides it)" */
static void add_never(rep_row_vec *rows, const rep_never *n, uint32_t columns)
{
    td_text text = {0};
    char label[32];
    if (n->n_sides == 2)
        snprintf(label, sizeof label, "never %s", n->side ? "true" : "false");
    else if (n->side == 0)
        snprintf(label, sizeof label, "no default");
    else
        snprintf(label, sizeof label, "no case %u", n->side);
    rep_put_clean(&text, rep_base_name(n->file));
    td_text_add(&text, ":%u", n->line);
    if (n->text != NULL && n->text[0] != '\0') {
        td_text_add(&text, " '");
        rep_put_cut(&text, n->text, MAX_CONDITION, REP_CUT_RIGHT);
        td_text_add(&text, "'");
    }
    if (n->why != NULL && n->why[0] != '\0')
        td_text_add(&text, " (%s)", n->why);
    add_line(rows, label, text.at, columns);
    td_text_fini(&text);
}

static void add_branches(rep_row_vec *rows, const rep_result *r, uint32_t columns)
{
    const rep_branches *b = &r->branches;
    td_text text = {0};
    if (!b->is_goal)
        return;
    td_count_print(b->n_taken, &text);
    td_text_add(&text, " of ");
    td_count_print(b->n_sides, &text);
    td_text_add(&text, " outcomes");
    put_degrees(b, &text);
    if (b->n_candidates > 0) {
        td_text_add(&text, ", ");
        td_count_print(b->n_candidates, &text);
        td_text_add(&text, " candidate%s", b->n_candidates == 1 ? "" : "s");
    }
    if (r->stopped == NULL)
        td_text_add(&text, ": %s coverage reached", b->n_never ? "max" : "full");
    add_line(rows, "branches", text.at, columns);
    for (size_t i = 0; i < b->n_never && i < MAX_NEVER; i++)
        add_never(rows, &b->never[i], columns);
    td_text_clear(&text);
    if (b->n_never > MAX_NEVER) {
        td_text_add(&text, "and %zu more outcomes not taken (see --json)",
                    b->n_never - MAX_NEVER);
        add_line(rows, "", text.at, columns);
    }
    td_text_fini(&text);
}

/* ---- what was saved, and what is left ---- */

/* 4,300 or 1.2e9. */
static void put_estimate(double log2_of, td_text *out)
{
    double power = log2_of * log10(2);
    if (power < 6) {
        double rounded = exp2(log2_of);
        double unit = pow(10, fmax(floor(power) - 1, 0));
        td_count_print((uint64_t)(round(rounded / unit) * unit), out);
        return;
    }
    double whole = floor(power), digits = pow(10, power - whole);
    if (digits >= 9.95) {
        digits = 1;
        whole++;
    }
    td_text_add(out, "%.1fe%.0f", digits, whole);
}

/* Nothing where each run is one interleaving, and nothing of a session that a bug stopped. */
static void add_saved(rep_row_vec *rows, const rep_result *r, uint32_t columns)
{
    td_text text = {0};
    if (r->verdict == REP_VERDICT_BUG && r->stopped != NULL)
        return;
    if (!r->saved.is_known || r->runs == 0 || r->saved.log2 < log2((double)r->runs) + 0.5)
        return;
    td_text_add(&text, "%s ", r->saved.is_at_least ? "at least" : "about");
    put_estimate(r->saved.log2, &text);
    td_text_add(&text, " interleavings (estimated)");
    if (r->traces_counted) {
        td_text_add(&text, ", ");
        td_count_print(r->traces, &text);
        td_text_add(&text, " trace%s", r->traces == 1 ? "" : "s");
    }
    td_text_add(&text, ", ");
    td_count_print(r->runs, &text);
    td_text_add(&text, " run%s", r->runs == 1 ? "" : "s");
    add_line(rows, "reduction", text.at, columns);
    td_text_fini(&text);
}

unsigned rep_per_cent(double share)
{
    double least = 100 * REP_LEAST_SHARE, at = floor(share * 100);
    TD_ASSERT(!isnan(share));
    return (unsigned)fmin(fmax(at, least), 99);
}

void rep_print_about(double seconds, td_text *out)
{
    if (seconds < 99.5)
        td_text_add(out, "%.0f s", fmax(seconds, 1));
    else if (seconds < 99.5 * 60)
        td_text_add(out, "%.0f min", seconds / 60);
    else if (seconds < 48.0 * 3600)
        td_text_add(out, "%.0f h", seconds / 3600);
    else if (seconds < 1000.0 * 86400)
        td_text_add(out, "%.0f days", seconds / 86400);
    else
        td_text_add(out, "years");
}

static void add_left(rep_row_vec *rows, const rep_result *r, uint32_t columns)
{
    td_text text = {0};
    const rep_left *l = &r->left;
    if (r->stopped == NULL || r->verdict == REP_VERDICT_BUG || l->targets == 0)
        return;
    td_count_print(l->targets, &text);
    td_text_add(&text, " target%s", l->targets == 1 ? "" : "s");
    if (l->is_known) {
        bool is_early = l->share < REP_LEAST_SHARE;
        td_text_add(&text, "; %s %u %% done", is_early ? "less than" : "about",
                    rep_per_cent(l->share));
        if (!is_early) {
            td_text_add(&text, ", ");
            rep_print_about(l->seconds, &text);
            td_text_add(&text, " left");
        }
        td_text_add(&text, " (estimated)");
    }
    add_line(rows, "remaining", text.at, columns);
    td_text_fini(&text);
}

/* What helps against the gaps of the ledger, where no limit of the session was reached. */
static void put_option(const rep_result *r, td_text *text)
{
    for (size_t i = 0; r->ledger != NULL && i < r->ledger->gaps.len; i++) {
        const char *next = det_gap_next(r->ledger->gaps.at[i].kind);
        if (text->len == 0 || strstr(text->at, next) == NULL)
            td_text_add(text, "%s%s", text->len > 0 && next[0] ? "; " : "", next);
    }
}

/* How to get further. */
void rep_continue_text(const rep_result *r, td_text *out)
{
    if (r->verdict != REP_VERDICT_INCOMPLETE && r->verdict != REP_VERDICT_SUSPECTED)
        return;
    if (!r->at_limit) {
        td_text_add(out, "%s", r->can_resume ? "--resume" : "");
        put_option(r, out);
        return;
    }
    const char *more = "more time or runs (--time, --runs)";
    if (r->at_memory)
        more = "more memory (--own-memory)";
    else if (r->can_resume && r->pairs == 0) /* one that samples takes both */
        more = "more time (--time)";
    td_text_add(out, "%s%s", r->can_resume ? "--resume; " : "", more);
    if (!r->preemptions.is_set && r->can_iterate)
        td_text_add(out, ", or --iterate (fewest preemptions first)");
    if (r->is_far)
        td_text_add(out, ", or --search=guided (random testing biased towards rarely "
                         "covered access pairs)");
}

static void add_go_on(rep_row_vec *rows, const rep_result *r, uint32_t columns)
{
    td_text text = {0};
    rep_continue_text(r, &text);
    if (text.len > 0)
        add_line(rows, "to continue", text.at, columns);
    td_text_fini(&text);
}

/* What makes it large, and what to make smaller. */
static void add_large(rep_row_vec *rows, const rep_result *r, uint32_t columns)
{
    td_text text = {0}, shrink = {0};
    if (r->large != NULL) {
        rep_large_text(r->large, &text);
        rep_shrink_text(r->large, &shrink);
    }
    if (text.len > 0)
        add_line(rows, "large by", text.at, columns);
    if (shrink.len > 0)
        add_line(rows, "to shrink", shrink.at, columns);
    td_text_fini(&text);
    td_text_fini(&shrink);
}

/* The first reason why it is incomplete; the ledger below has all of them. */
static void add_reason(rep_row_vec *rows, const rep_result *r, uint32_t columns)
{
    td_text text = {0};
    if (r->verdict == REP_VERDICT_NOTHING) {
        td_text_add(&text,
                    "NOTHING EXPLORED: no run creates a thread or has an input, so "
                    "there is one schedule only. Is the code with threads "
                    "called?");
    } else if (r->verdict == REP_VERDICT_SUSPECTED) {
        td_text_add(&text, "SUSPECTED: a bug was seen (see the ledger), and the session "
                           "ended before its replays: ");
        rep_put_clean(&text, r->stopped != NULL ? r->stopped : "?");
    } else if (r->verdict == REP_VERDICT_INCOMPLETE && r->stopped != NULL) {
        td_text_add(&text, "INCOMPLETE: ");
        rep_put_clean(&text, r->stopped);
    }
    if (text.len == 0)
        return;
    if (text.at[text.len - 1] != '?')
        td_text_add(&text, ".");
    rep_wrap(rows, REP_PLAIN, (rep_lead){"treadle: ", "treadle: "}, text.at, columns);
    td_text_fini(&text);
}

static void add_gap(rep_row_vec *rows, const det_gap *g, const char *label,
                    uint32_t columns)
{
    td_text text = {0};
    if (g->file != NULL && g->file[0] != '\0') {
        rep_put_clean(&text, rep_base_name(g->file));
        td_text_add(&text, ":%u ", g->line);
    }
    td_text_add(&text, "x");
    td_count_print(g->count, &text);
    td_text_add(&text, " ");
    rep_put_clean(&text, g->kind != NULL ? g->kind : "");
    if (g->text != NULL && g->text[0] != '\0') {
        td_text_add(&text, ": ");
        rep_put_readable(&text, g->text);
    }
    add_line(rows, label, text.at, columns);
    td_text_fini(&text);
}

static void add_ledger(rep_row_vec *rows, const rep_result *r, uint32_t columns)
{
    size_t n = r->ledger != NULL ? r->ledger->gaps.len : 0;
    for (size_t i = 0; i < n && i < MAX_LEDGER_ROWS; i++)
        add_gap(rows, &r->ledger->gaps.at[i], i == 0 ? "ledger" : "", columns);
    if (n > MAX_LEDGER_ROWS) {
        td_text text = {0};
        td_text_add(&text, "and %zu more (see --json)", n - MAX_LEDGER_ROWS);
        add_line(rows, "", text.at, columns);
        td_text_fini(&text);
    }
}

static bool has_suppressed(const rep_result *r)
{
    for (size_t i = 0; r->ledger != NULL && i < r->ledger->gaps.len; i++)
        if (strcmp(r->ledger->gaps.at[i].kind, DET_SUPPRESSED) == 0)
            return true;
    return false;
}

/* True if the ledger has more than the bounds of the session. */
static bool has_other_gaps(const rep_result *r)
{
    static const char *const bounds[] = {"preemptions", "depth",  "time",
                                         "runs",        "memory", "interrupted"};
    bool any = false;
    for (size_t i = 0; r->ledger != NULL && i < r->ledger->gaps.len && !any; i++) {
        any = true;
        for (size_t k = 0; k < sizeof bounds / sizeof bounds[0]; k++)
            any &= strcmp(r->ledger->gaps.at[i].kind, bounds[k]) != 0;
    }
    return any;
}

/* How many preemptions were tried to the end; if nothing was left out that goes without saying. */
static void put_bound(const rep_result *r, td_text *out)
{
    const rep_bound *b = &r->preemptions;
    if (!b->is_set || r->stopped == NULL)
        return;
    if (b->completed < 0)
        td_text_add(
            out,
            "PREEMPTIONS: no bound completed; not every %s with 0 preemptions was %s.",
            b->what, b->done);
    else
        td_text_add(out,
                    "PREEMPTIONS: every %s %s at most %" PRId64 " preemption%s was %s%s.",
                    b->what, strcmp(b->done, "reached") == 0 ? "reachable with" : "with",
                    b->completed, b->completed == 1 ? "" : "s", b->done,
                    has_other_gaps(r) ? ", except as listed in the ledger" : "");
    if (b->n_over > 0)
        td_text_add(out, " %" PRIu64 " run%s exceeded the bound then in force.",
                    b->n_over, b->n_over == 1 ? "" : "s");
}

/* How long runs may be for all of them to have been tried. */
static void put_depth(const rep_result *r, td_text *out)
{
    const rep_depth *d = &r->depth;
    const rep_bound *b = &r->preemptions;
    if (!d->is_set || r->stopped == NULL)
        return;
    TD_ASSERT(b->what && b->done); /* a search that goes by depth can go by preemptions */
    bool is_reached = strcmp(b->done, "reached") == 0;
    if (d->completed == 0) {
        td_text_add(out, "DEPTH: no bound completed; not every %s %s at most ", b->what,
                    is_reached ? "reachable in" : "of");
        td_count_print(d->now, out);
    } else {
        td_text_add(out, "DEPTH: every %s %s at most ", b->what,
                    is_reached ? "reachable in" : "of");
        td_count_print(d->completed, out);
    }
    td_text_add(out, " operations was %s", b->done);
    if (d->completed > 0 && d->gap != NULL) {
        td_text_add(out, ", except for: ");
        rep_put_clean(out, d->gap);
    } else if (d->completed > 0 && has_other_gaps(r)) {
        td_text_add(out, ", except as listed in the ledger");
    }
    td_text_add(out, ".");
}

static void add_bounds(rep_row_vec *rows, const rep_result *r, uint32_t columns)
{
    void (*const put[])(const rep_result *, td_text *) = {put_bound, put_depth};
    for (size_t i = 0; i < sizeof put / sizeof put[0]; i++) {
        td_text text = {0};
        put[i](r, &text);
        if (text.len > 0)
            rep_wrap(rows, REP_PLAIN, (rep_lead){"treadle: ", "treadle: "}, text.at,
                     columns);
        td_text_fini(&text);
    }
}

void rep_bounds_text(const rep_result *r, td_text *out)
{
    td_text depth = {0};
    put_bound(r, out);
    put_depth(r, &depth);
    if (depth.len > 0)
        td_text_add(out, "%s%s", out->len > 0 ? " " : "", depth.at);
    td_text_fini(&depth);
}

/* What a reader would wonder about. */
static void add_notes(rep_row_vec *rows, const rep_result *r, uint32_t columns)
{
    td_text text = {0};
    if (r->n_findings > 0)
        return;
    if (r->all_exit > 0) {
        td_text_add(&text,
                    "every run ends with exit status %" PRIu64
                    ", which --exit-code=ignore accepts",
                    r->all_exit);
        add_line(rows, "note", text.at, columns);
    }
    if (r->most_threads == 1 && r->verdict != REP_VERDICT_NOTHING)
        add_line(rows, "note", "no run creates a thread: there is one schedule only",
                 columns);
    else if (r->most_threads > 1 && r->runs == 1 && r->verdict == REP_VERDICT_COMPLETE &&
             !r->rules_out)
        add_line(
            rows, "note",
            "one run was enough: no thread can observe another order of the operations",
            columns);
    td_text_fini(&text);
}

/* A replay shows that of a finding. */
static void add_output(rep_row_vec *rows, const rep_result *r, uint32_t columns)
{
    if (r->output && r->output[0])
        add_line(rows, "output", r->output, columns);
    else if (r->output && r->n_findings == 0)
        add_line(rows, "output", "discarded (--output=FILE keeps it)", columns);
}

/* What it means that the search came to its end. */
static void add_meaning(rep_row_vec *rows, const rep_result *r, uint32_t columns)
{
    td_text text = {0};
    if (r->stopped != NULL || r->covers == NULL || r->verdict == REP_VERDICT_NOTHING)
        return;
    td_text_add(&text, "COMPLETE: %s%s%s; there is no %s%s%s under %s.", r->covers,
                r->promoted > 0 && !r->branches.is_goal
                    ? ", with every order of the racing accesses"
                    : "",
                r->most_inputs > 0 ? ", for every value of the symbolic inputs" : "",
                r->n_findings > 0 || has_suppressed(r) ? "other " : "",
                r->rules_out ? r->rules_out : "assertion failure, deadlock or data race",
                r->most_inputs > 0 ? "" : " for these inputs",
                model_named(r->model)->under);
    if (model_of(r) != model_named(r->model))
        td_text_add(&text, " Nor is there under %s.", model_of(r)->under);
    rep_wrap(rows, REP_PLAIN, (rep_lead){"treadle: ", "treadle: "}, text.at, columns);
    td_text_fini(&text);
}

void rep_result_text(const rep_result *r, const rep_opts *opts, td_text *out)
{
    uint32_t columns = opts->columns == 0 ? 80 : opts->columns < 60 ? 60 : opts->columns;
    rep_row_vec rows = {0};
    add_verdict(&rows, r, columns);
    add_findings(&rows, r, columns);
    if (r->chosen != NULL)
        add_line(&rows, "chosen", r->chosen, columns);
    add_covered(&rows, r, columns);
    add_farm(&rows, &r->farm, columns);
    add_branches(&rows, r, columns);
    add_saved(&rows, r, columns);
    add_notes(&rows, r, columns);
    add_reason(&rows, r, columns);
    add_left(&rows, r, columns);
    add_large(&rows, r, columns);
    add_ledger(&rows, r, columns);
    add_go_on(&rows, r, columns);
    add_output(&rows, r, columns);
    add_bounds(&rows, r, columns);
    add_meaning(&rows, r, columns);
    rep_rows_print(&rows, opts->colour, out);
    rep_rows_fini(&rows);
}
