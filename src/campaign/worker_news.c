/* SPDX-License-Identifier: Apache-2.0 */
/* What workers exchange besides items: status, findings, ledger entries. */
#include "campaign/campaign_int.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/assert.h"

#define MAX_TEXT 400u                 /* characters of a text of the ledger */
#define MAX_GAPS 10000u               /* lines of it */
#define MAX_COUNT ((uint64_t)1 << 40) /* largest count in an entry of another worker */
#define MAX_NAMED 32u                 /* rows of members that have a line each */

void cam_member_gap(cam_team *t, const char *format, ...)
{
    td_text text = {0};
    va_list args;
    va_start(args, format);
    td_text_addv(&text, format, args);
    va_end(args);
    if (t->n_named++ < MAX_NAMED)
        det_ledger_add(ses_ledger(t->ses), "members", "", 0, text.at);
    else
        det_ledger_add(ses_ledger(t->ses), "members", "", 0,
                       "more unusable rows from other workers");
    td_text_fini(&text);
}

/* ---- the campaign ---- */

/* Arguments that are different are different texts: what would be taken for the end of one has a
 * backslash before it. */
static void put_argument(td_text *out, const char *text)
{
    for (; *text; text++)
        td_text_add(out, strchr(" \\\n", *text) ? "\\%c" : "%c", *text);
}

/* The program by its name: elsewhere it may lie in another directory. */
static void put_command(const cam_team *t, td_text *out)
{
    char *const *argv = t->opts->argv;
    const char *slash = strrchr(argv[0], '/');
    put_argument(out, slash ? slash + 1 : argv[0]);
    for (size_t i = 1; argv[i]; i++) {
        td_text_put(out, " ", 1);
        put_argument(out, argv[i]);
    }
}

/* A bound on runs is that of one session: another may go further. */
static void put_options(const cam_team *t, td_text *out)
{
    const char *at = t->opts->words ? t->opts->words : "";
    td_text_add(out, "%s", "");
    while (*at) {
        size_t n = strcspn(at, "\n");
        n += at[n] == '\n';
        if (strncmp(at, "--runs=", strlen("--runs=")) != 0)
            td_text_put(out, at, n);
        at += n;
    }
}

void cam_describe(cam_team *t, sto_campaign *out)
{
    td_text command = {0}, protocol = {0}, options = {0};
    put_options(t, &options);
    put_command(t, &command);
    td_text_add(&protocol, "%u.%u", CAM_PROTOCOL, WIRE_VERSION);
    *out = (sto_campaign){.version = td_strdup(t->opts->version),
                          .protocol = protocol.at,
                          .build_id = td_strdup(ses_build_id(t->ses)),
                          .command = command.at,
                          .options = options.at};
}

/* ---- ledgers: whose and of which generation, and how runs ended; then a gap a line: count, line, kind,
 * file, text, with tabs between ---- */

static void put_field(td_text *out, const char *text)
{
    size_t n = strlen(text);
    for (size_t i = 0; i < n && i < MAX_TEXT; i++)
        td_text_put(out, iscntrl((unsigned char)text[i]) ? " " : &text[i], 1);
}

static void put_gap(td_text *out, const det_gap *g)
{
    if (g->count == 0)
        return;
    td_text_add(out, "%" PRIu64 "\t%u\t", g->count, g->line);
    put_field(out, g->kind);
    td_text_put(out, "\t", 1);
    put_field(out, g->file);
    td_text_put(out, "\t", 1);
    put_field(out, g->text);
    td_text_put(out, "\n", 1);
}

/* Takes over the gaps of the search. If the session ends within an item that will be repeated, that item's
 * gaps do not count; those of other items were reported when these were submitted. */
static void learn_gaps(cam_team *t)
{
    bool is_cut = ses_stopped(t->ses) != SES_GO && !t->search->parts->rest;
    if (!is_cut)
        t->n_gaps = xpl_gaps(ses_explorer(t->ses), t->gaps, SES_MAX_GAPS);
}

static void put_ledger(cam_team *t, td_text *out)
{
    const ses_ends *ends = ses_ends_of(t->ses);
    td_text_add(out, "%" PRIu64 " %u %" PRIu64 " %" PRIu64 " %d %u\n", t->worker,
                t->generation, ends->n_runs, ends->exit_code, ends->differ,
                ends->most_threads);
    const det_gap_vec *own = &ses_ledger(t->ses)->gaps;
    for (size_t i = 0; i < own->len; i++)
        put_gap(out, &own->at[i]);
    learn_gaps(t);
    for (size_t i = 0; i < t->n_gaps; i++)
        put_gap(out, &(det_gap){.kind = (char *)t->gaps[i].kind,
                                .file = "",
                                .text = (char *)t->gaps[i].text,
                                .count = t->gaps[i].count});
}

/* As put_field writes it. */
static bool is_field(const char *text)
{
    size_t n = 0;
    while (text[n] && !iscntrl((unsigned char)text[n]))
        n++;
    return text[n] == '\0' && n <= MAX_TEXT;
}

/* Reads a ledger entry; false if it is invalid. */
static bool read_gap(char *line, det_ledger *out)
{
    char *end;
    char *field[5] = {line};
    for (size_t i = 1; i < 5; i++) {
        field[i] = field[i - 1] + strcspn(field[i - 1], "\t");
        if (*field[i] == '\0')
            return false;
        *field[i]++ = '\0';
    }
    uint64_t count = strtoull(field[0], &end, 10);
    bool is_good = *end == '\0' && count > 0 && count <= MAX_COUNT;
    uint64_t at = strtoull(field[1], &end, 10);
    if (!is_good || *end != '\0' || at > UINT32_MAX || field[2][0] == '\0')
        return false;
    if (!is_field(field[2]) || !is_field(field[3]) || !is_field(field[4]))
        return false;
    det_ledger_merge(out, &(det_gap){.kind = field[2],
                                     .file = field[3],
                                     .line = (uint32_t)at,
                                     .count = count,
                                     .text = field[4]});
    return true;
}

/* Reads the next number of the first line; 0 if there is none. */
static uint64_t next_number(char **text)
{
    return **text == ' ' ? strtoull(*text, text, 10) : 0;
}

/* Reads how runs ended. Those of an earlier generation may precede the restart of the search. */
static void read_ends(const cam_team *t, char **text, bool is_known)
{
    ses_ends ends = {0};
    ends.n_runs = next_number(text);
    ends.exit_code = next_number(text);
    ends.differ = next_number(text) != 0 || !is_known;
    uint64_t threads = next_number(text);
    ends.most_threads = threads < UINT32_MAX ? (uint32_t)threads : UINT32_MAX;
    ses_ends_add(t->ses, ends);
}

/* Reads the ledger of a worker. False: some lines are invalid, or there are too many. */
static bool read_ledger(const cam_team *t, char *text, det_ledger *out)
{
    bool is_good = true;
    uint32_t n = 0;
    (void)strtoull(text, &text, 10);
    uint64_t generation = strtoull(text, &text, 10);
    read_ends(t, &text, generation == t->generation);
    text += *text == '\n';
    while (*text && generation == t->generation && n++ < MAX_GAPS) {
        char *end = text + strcspn(text, "\n");
        bool is_last = *end == '\0';
        *end = '\0';
        is_good &= out->gaps.len < MAX_GAPS && read_gap(text, out);
        text = is_last ? end : end + 1;
    }
    return is_good && n <= MAX_GAPS;
}

/* ---- coverage: a letter for each thing that can be covered, in their order ---- */

static void put_coverage(cam_team *t, td_text *out)
{
    det_coverage c = {0};
    ses_coverage_collect(t->ses, &c);
    for (size_t i = 0; i < c.sides.len; i++)
        td_text_put(out, c.sides.at[i].taken ? "1" : "0", 1);
    for (size_t i = 0; i < c.lines.len; i++)
        td_text_put(out, c.lines.at[i].executed ? "1" : "0", 1);
    for (size_t i = 0; i < c.functions.len; i++)
        td_text_put(out, c.functions.at[i].entered ? "1" : "0", 1);
    det_coverage_fini(&c);
}

/* Adds what another worker covered. False: it is of something else. */
static bool merge_coverage(const char *text, td_text *out)
{
    size_t len = strlen(text);
    for (size_t i = 0; i < len && out->len == len; i++)
        if (text[i] == '1')
            out->at[i] = '1';
    return out->len == len;
}

/* The same program has the same things in the same order. */
static void read_coverage(const char *text, det_coverage *c)
{
    size_t n = 0;
    if (strlen(text) != c->sides.len + c->lines.len + c->functions.len)
        return;
    for (size_t i = 0; i < c->sides.len; i++)
        c->sides.at[i].taken |= text[n++] == '1';
    for (size_t i = 0; i < c->lines.len; i++)
        c->lines.at[i].executed |= text[n++] == '1';
    for (size_t i = 0; i < c->functions.len; i++)
        c->functions.at[i].entered |= text[n++] == '1';
}

/* ---- status of a worker ---- */

static uint64_t ms_of(struct timeval t)
{
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_usec / 1000;
}

static uint64_t of_others(uint64_t all, uint64_t reported)
{
    return all > reported ? all - reported : 0;
}

void cam_measure(const cam_team *t, ses_now *n)
{
    if (!t->link)
        return;
    n->runs += of_others(t->peek.n_runs, t->reported_runs);
    n->targets += of_others(t->peek.n_targets, t->reported_targets);
    n->n_workers = t->peek.n_workers;
    n->remaining = (ses_remaining){0}; /* it would be that of one part */
}

void cam_state(cam_team *t, sto_worker *out)
{
    td_text name = {0}, ledger = {0}, coverage = {0};
    struct rusage usage = {0};
    char host[64] = "";
    getrusage(RUSAGE_SELF, &usage);
    ses_tally tally = ses_tally_of(t->ses);
    (void)gethostname(host, sizeof host - 1);
    td_text_add(&name, "%s %s:%ld", t->is_leader ? "leader" : "worker", host,
                (long)getpid());
    td_text_add(&ledger, "%s", "");
    td_text_add(&coverage, "%s", "");
    put_ledger(t, &ledger);
    put_coverage(t, &coverage);
    *out = (sto_worker){.name = name.at,
                        .runs = tally.runs,
                        .events_met = tally.events,
                        .targets = xpl_what_is_left(ses_explorer(t->ses)).targets,
                        .blocked_runs = tally.blocked_runs,
                        .lost_runs = tally.lost_runs,
                        .cpu_ms = ms_of(usage.ru_utime) + ms_of(usage.ru_stime),
                        .rss_kb = (uint64_t)usage.ru_maxrss,
                        .ledger = ledger.at,
                        .coverage = coverage.at};
}

void cam_state_fini(sto_worker *w)
{
    td_free(w->name);
    td_free(w->ledger);
    td_free(w->coverage);
}

/* ---- findings ---- */

void cam_tell(cam_team *t, const det_finding *f, const sto_recording *r, const char *page)
{
    td_text text = {0};
    if (!t->link)
        return;
    sto_recording_print(r, &text);
    sto_news n = {.id = td_strdup(f->id),
                  .kind = td_strdup(det_kind_id(f->kind)),
                  .file = td_strdup(f->file ? f->file : ""),
                  .function = td_strdup(f->function ? f->function : ""),
                  .message = td_strdup(f->message ? f->message : ""),
                  .line = f->line,
                  .recording = text.at,
                  .page = td_strdup(page),
                  .text = td_strdup("")};
    sto_news_vec_push(&t->news, n);
    t->heard_ms = 0;
    t->pauses = true;
}

/* As any finding, it is published if it fails each time, here too. */
static td_status take_in(cam_team *t, const sto_news *n, uint64_t number, td_diag *diag)
{
    TD_ASSERT(number > 0 && number == t->n_taken_in);
    sto_recording r = {0};
    ses_kept kept = {0};
    bool shown = true, is_run = true;
    td_diag why = {0};
    if (sto_recording_parse(n->recording, strlen(n->recording), &r, &why) != TD_OK) {
        cam_member_gap(t, "finding %" PRIu64 " of the campaign cannot be read", number);
        return TD_OK;
    }
    td_status status = TD_OK;
    for (unsigned i = 0; i < SES_CONFIRMATIONS && shown && status == TD_OK; i++) {
        ses_kept_fini(&kept);
        status = ses_recheck(t->ses, "", &r, &kept, &shown, diag);
        if (status != TD_E_LIMIT)
            continue;
        cam_member_gap(t, "finding %" PRIu64 " of the campaign is too long to run",
                       number);
        *diag = (td_diag){0};
        status = TD_OK;
        shown = false;
        is_run = false;
    }
    if (status == TD_OK && shown && !ses_has_finding(t->ses, kept.finding.id) &&
        !ses_suppress(t->ses, &kept.finding)) {
        status = ses_publish(t->ses, &kept.finding,
                             &(ses_shown){.t = &kept.run,
                                          .schedule = &r.schedule,
                                          .promoted = &kept.promoted},
                             diag);
        kept.finding = (det_finding){0};
    } else if (status == TD_OK && !shown && is_run) {
        cam_member_gap(t, "finding %" PRIu64 " of the campaign was not reproduced",
                       number);
    }
    ses_kept_fini(&kept);
    sto_recording_fini(&r);
    return status;
}

/* *is_more: there may be others. */
static td_status take_some(cam_team *t, bool *is_more, td_diag *diag)
{
    sto_news_vec news = {0};
    TD_TRY(sto_campaign_news(t->link, t->n_taken_in, &news, diag));
    td_status status = TD_OK;
    *is_more = news.len > 0;
    for (size_t i = 0;
         i < news.len && status == TD_OK && ses_stopped(t->ses) != SES_STOP_BUG; i++) {
        t->n_taken_in++;
        if (!ses_has_finding(t->ses, news.at[i].id))
            status = take_in(t, &news.at[i], t->n_taken_in, diag);
    }
    sto_news_fini(&news);
    return status;
}

td_status cam_take_news(cam_team *t, td_diag *diag)
{
    td_status status = TD_OK;
    bool is_more = true;
    while (t->peek.n_findings > t->n_taken_in && is_more && status == TD_OK &&
           ses_stopped(t->ses) != SES_STOP_BUG)
        status = take_some(t, &is_more, diag);
    return status;
}

/* ---- the sum ---- */

static bool is_own(const cam_team *t, uint64_t worker)
{
    for (size_t i = 0; i < t->own.len; i++)
        if (t->own.at[i] == worker)
            return true;
    return false;
}

/* What another worker left out. */
static void gather_worker(cam_team *t, const sto_worker *w)
{
    t->blocked_runs += w->blocked_runs;
    bool is_good = !w->is_unreadable && read_ledger(t, w->ledger, ses_ledger(t->ses));
    if (w->coverage[0] != '\0')
        is_good &= merge_coverage(w->coverage, &t->coverage);
    if (!is_good)
        cam_member_gap(t, "worker %" PRIu64 " sent unreadable data", w->id);
    if (is_own(t, w->id))
        return;
    t->others.n += w->n_parts > 0 || w->runs > 0;
    t->others.parts += w->n_parts;
    t->others.runs += w->runs;
    if (w->n_cut > 0 && t->opts->farm)
        cam_member_gap(t, "worker %" PRIu64 " submitted %" PRIu64 " part%s with gaps",
                       w->id, w->n_cut, w->n_cut == 1 ? "" : "s");
}

/* Collects the gaps and the coverage of all workers except this one, whose ledger is already here. */
td_status cam_gather(cam_team *t, td_diag *diag)
{
    sto_worker_vec workers = {0};
    if (!t->link || !t->is_leader)
        return TD_OK;
    TD_TRY(sto_campaign_total(t->link, &t->total, diag));
    if (t->is_over && t->total.n_items > 0)
        cam_member_gap(t, "the campaign was restarted after it had finished");
    TD_TRY(sto_campaign_workers(t->link, &workers, diag));
    TD_ASSERT(t->coverage.len == 0 && t->runs == 0); /* once, at the end */
    put_coverage(t, &t->coverage);
    for (size_t i = 0; i < workers.len; i++) {
        const sto_worker *w = &workers.at[i];
        t->runs += w->runs;
        if (w->id != t->worker)
            gather_worker(t, w);
    }
    if (t->n_taken_in >= STO_MAX_NEWS)
        cam_member_gap(t, "findings after the first %u are ignored", STO_MAX_NEWS);
    sto_workers_fini(&workers);
    return TD_OK;
}

void cam_coverage(const cam_team *t, det_coverage *c)
{
    if (t->coverage.len > 0)
        read_coverage(t->coverage.at, c);
}
