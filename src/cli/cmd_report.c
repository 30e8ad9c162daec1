/* SPDX-License-Identifier: Apache-2.0 */
/* treadle report: a session that has ended, again or for other programs. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/glyph.h"
#include "base/sha256.h"
#include "report/formats/formats.h"
#include "store/store.h"

#define MAX_SOURCE ((size_t)64 << 20) /* bytes of a source file */

#define REPORT_OPTIONS(X)                                                                \
    X(finding, "finding", 0, TEXT, 0, 0, 0, "ID", "report only this finding")            \
    X(sarif, "sarif", 0, TEXT, 0, 0, 0, "FILE", "SARIF 2.1.0")                           \
    X(junit, "junit", 0, TEXT, 0, 0, 0, "FILE", "JUnit XML")                             \
    X(json, "json", 0, TEXT, 0, 0, 0, "FILE", "JSON, as treadle run --json")             \
    X(lcov, "lcov", 0, TEXT, 0, 0, 0, "FILE", "coverage, as an lcov tracefile")          \
    X(dot, "dot", 0, TEXT, 0, 0, 0, "FILE", "events of findings, for Graphviz")          \
    X(unfolding, "unfolding", 0, TEXT, 0, 0, 0, "FILE",                                  \
      "all events of a small session, for Graphviz")                                     \
    X(perfetto, "perfetto", 0, TEXT, 0, 0, 0, "FILE",                                    \
      "interleavings, for Perfetto and Chrome")                                          \
    X(witness, "witness", 0, TEXT, 0, 0, 0, "FILE", "SV-COMP violation witnesses, YAML") \
    X(github, "github", 0, FLAG, 0, 0, 0, "",                                            \
      "annotations for GitHub Actions, on standard output")                              \
    X(html, "html", 0, TEXT, 0, 0, 0, "FILE", "HTML page")

typedef struct report_fields {
    REPORT_OPTIONS(CLI_DECLARE_FIELD)
} report_fields;

#define X(...) CLI_TABLE_ROW(report_fields, __VA_ARGS__)
static const cli_option report_table[] = {REPORT_OPTIONS(X){0}};
#undef X

/* ---- from session.db ---- */

static char *working_directory(void)
{
    char *dir = getcwd(NULL, 0);
    td_text text = {0};
    if (dir != NULL && strcmp(dir, "/") != 0)
        td_text_add(&text, "%s/", dir);
    free(dir);
    char *root = td_strdup(text.at != NULL ? text.at : "");
    td_text_fini(&text);
    return root;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* True if `finding` is its id or the name of its recording. */
static bool is_named(const sto_found *f, const char *finding)
{
    return strcmp(f->id, finding) == 0 || strcmp(base_of(f->recording), finding) == 0;
}

static td_status take_pages(const sto_past *from, const char *finding, rep_past *out,
                            td_diag *diag)
{
    for (size_t i = 0; i < from->findings.len; i++) {
        const sto_found *f = &from->findings.at[i];
        rep_page page = {0};
        if (finding != NULL && !is_named(f, finding))
            continue;
        TD_TRY(rep_page_parse(f->page, strlen(f->page), &page, diag));
        rep_page_vec_push(&out->pages, page);
    }
    if (finding != NULL && out->pages.len == 0)
        return td_diag_set(diag, TD_E_USAGE, "there is no finding '%s' in '%s'", finding,
                           from->dir);
    return TD_OK;
}

static void take_samples(const sto_past *from, rep_past *out)
{
    for (size_t i = 0; i < from->samples.len; i++) {
        const sto_sample *s = &from->samples.at[i];
        rep_sample_vec_push(&out->samples,
                            (rep_session_sample){.ms = s->ms,
                                                 .runs = s->runs,
                                                 .events = s->events,
                                                 .targets = s->targets,
                                                 .findings = s->findings,
                                                 .sides_taken = s->sides_taken,
                                                 .queries = s->queries,
                                                 .pairs = s->pairs});
    }
}

/* After the facts. */
static void take_solver(const sto_past *from, rep_past *out)
{
    rep_solver *to = &out->solver;
    to->queries = rep_past_number(out, "queries");
    to->sat = rep_past_number(out, "queries_sat");
    to->unsat = rep_past_number(out, "queries_unsat");
    to->unknown = rep_past_number(out, "queries_unknown");
    to->cached = rep_past_number(out, "queries_cached");
    for (size_t i = 0; i < from->stages.len && to->n_stages < REP_STAGES; i++) {
        const sto_stage *s = &from->stages.at[i];
        to->stages[to->n_stages++] = (rep_stage){.name = td_strdup(s->name),
                                                 .answered = s->answered,
                                                 .calls = s->calls,
                                                 .seconds = s->seconds};
    }
}

td_status cli_past_read(const char *dir, const char *finding, rep_past *out,
                        td_diag *diag)
{
    sto_past from = {0};
    *out = (rep_past){.root = working_directory()};
    td_status status = sto_past_read(dir, &from, diag);
    if (status == TD_OK)
        status = take_pages(&from, finding, out, diag);
    for (size_t i = 0; i < from.facts.len; i++)
        rep_fact_vec_push(&out->facts, (rep_fact){td_strdup(from.facts.at[i].name),
                                                  td_strdup(from.facts.at[i].value)});
    take_samples(&from, out);
    take_solver(&from, out);
    out->dir = td_strdup(from.dir != NULL ? from.dir : "");
    out->ledger = from.ledger;
    from.ledger = (det_ledger){0};
    out->coverage = from.coverage;
    from.coverage = (det_coverage){0};
    out->events = from.events;
    from.events = (det_event_vec){0};
    sto_past_fini(&from);
    if (status != TD_OK)
        rep_past_fini(out);
    return status;
}

td_status cli_past_of_recording(const char *path, rep_past *out, td_diag *diag)
{
    const char *base = base_of(path);
    size_t n = (size_t)(base - path);
    td_text dir = {0};
    if (n == 0)
        td_text_put(&dir, ".", 1);
    else
        td_text_put(&dir, path, n > 1 ? n - 1 : 1);
    td_status status = cli_past_read(dir.at, base, out, diag);
    td_text_fini(&dir);
    return status;
}

/* ---- formats ---- */

static td_status put_json(const rep_past *p, td_text *out, td_diag *diag)
{
    const char *json = rep_past_fact(p, "json");
    if (json[0] == '\0')
        return td_diag_set(diag, TD_E_USAGE, "no result: %s", rep_past_stopped(p));
    td_text_put_visible(out, json); /* unchanged, if treadle wrote it */
    return TD_OK;
}

static td_status hash_files(rep_input_file_vec *files, td_diag *diag)
{
    for (size_t i = 0; i < files->len; i++) {
        td_text content = {0};
        td_status status = td_file_read(files->at[i].path, MAX_SOURCE, &content, diag);
        td_sha256(content.at, content.len, files->at[i].hash);
        td_text_fini(&content);
        TD_TRY(status);
    }
    return TD_OK;
}

static td_status put_one_witness(const rep_past *p, const rep_page *page, td_text *out,
                                 td_diag *diag)
{
    rep_input_file_vec files = {0};
    rep_witness_files(page, &files);
    td_status status = hash_files(&files, diag);
    if (status == TD_OK)
        rep_witness(p, page, &files, out);
    for (size_t i = 0; i < files.len; i++)
        td_free(files.at[i].path);
    rep_input_file_vec_fini(&files);
    return status;
}

td_status cli_past_witness(const rep_past *p, td_text *out, td_diag *diag)
{
    for (size_t i = 0; i < p->pages.len; i++) {
        const rep_page *page = &p->pages.at[i];
        if (rep_witness_has(page->kind))
            TD_TRY(put_one_witness(p, page, out, diag));
        else
            td_print(stderr, "treadle: a witness cannot express '%s': %s is skipped\n",
                     page->title, page->id);
    }
    if (out->len == 0)
        td_text_add(out, "[]\n");
    return TD_OK;
}

static td_status put_lcov(const rep_past *p, td_text *out, td_diag *diag)
{
    if (p->coverage.lines.len == 0 && rep_past_verdict(p) == REP_N_VERDICTS)
        return td_diag_set(diag, TD_E_USAGE, "no coverage: %s", rep_past_stopped(p));
    if (p->coverage.lines.len == 0)
        return td_diag_set(
            diag, TD_E_USAGE,
            "the session has no coverage: was the program compiled with -g?");
    rep_lcov(p, out);
    return TD_OK;
}

static td_status put_unfolding(const rep_past *p, td_text *out, td_diag *diag)
{
    if (p->events.len == 0)
        return td_diag_set(diag, TD_E_USAGE,
                           "the session has more than %u events, or none",
                           DET_MAX_EVENTS);
    rep_unfolding(p, out);
    return TD_OK;
}

static td_status put_html(const rep_past *p, td_text *out, td_diag *diag)
{
    cli_report_html(p, p->dir, out);
    return TD_OK;
}

/* A writer that cannot fail. */
#define PLAIN(name)                                                                      \
    static td_status put_##name(const rep_past *p, td_text *out, td_diag *diag)          \
    {                                                                                    \
        rep_##name(p, out);                                                              \
        return TD_OK;                                                                    \
    }
PLAIN(sarif)
PLAIN(junit)
PLAIN(dot)
PLAIN(perfetto)
PLAIN(github)

typedef td_status (*put_function)(const rep_past *p, td_text *out, td_diag *diag);

/* Writes to a file; "-" is stdout. */
static td_status write_format(const rep_past *p, put_function put, const char *path,
                              td_diag *diag)
{
    td_text out = {0};
    td_status status = put(p, &out, diag);
    if (status == TD_OK && strcmp(path, "-") == 0)
        fwrite(out.at, 1, out.len, stdout);
    else if (status == TD_OK)
        status = td_file_write(path, out.at, out.len, diag);
    td_text_fini(&out);
    return status;
}

/* Prints again what treadle run printed. */
static td_status print_session(const rep_past *p, const char *finding)
{
    td_text text = {0};
    for (size_t i = 0; i < p->pages.len; i++) {
        td_text_put_visible(&text, p->pages.at[i].text);
        td_text_put(&text, "\n", 1);
    }
    if (finding == NULL)
        td_text_put_visible(&text, rep_past_fact(p, "summary"));
    fwrite(text.at, 1, text.len, stdout);
    td_text_fini(&text);
    if (finding == NULL && rep_past_verdict(p) == REP_N_VERDICTS)
        printf("treadle: INCOMPLETE: %s.\n", rep_past_stopped(p));
    return TD_OK;
}

static td_status write_formats(const report_fields *f, const rep_past *p, td_diag *diag)
{
    const struct {
        const char *path;
        put_function put;
    } formats[] = {{f->sarif, put_sarif},
                   {f->junit, put_junit},
                   {f->json, put_json},
                   {f->lcov, put_lcov},
                   {f->dot, put_dot},
                   {f->unfolding, put_unfolding},
                   {f->html, put_html},
                   {f->perfetto, put_perfetto},
                   {f->witness, cli_past_witness},
                   {f->github ? "-" : NULL, put_github}};
    bool any = false;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (formats[i].path == NULL)
            continue;
        any = true;
        TD_TRY(write_format(p, formats[i].put, formats[i].path, diag));
    }
    return any ? TD_OK : print_session(p, f->finding);
}

/* Prints the error. It is never an internal error of treadle. */
static int fail(const td_diag *diag)
{
    TD_ASSERT(diag->text[0] != '\0');
    return cli_fail(CLI_EXIT_USAGE, "%s", diag->text);
}

static int report_main(const cli_command *self, int argc, char **argv)
{
    report_fields f = {0};
    cli_words words = {argc - 1, argv + 1};
    td_diag diag = {0};
    rep_past past;
    int code = cli_command_parse(self, &words, &f);
    if (code >= 0)
        return code;
    if (words.n > 1)
        return cli_fail(CLI_EXIT_USAGE, "report requires one session: treadle report %s",
                        self->words);
    if (cli_past_read(words.n > 0 ? words.at[0] : NULL, f.finding, &past, &diag) != TD_OK)
        return fail(&diag);
    td_status status = write_formats(&f, &past, &diag);
    rep_past_fini(&past);
    return status == TD_OK ? CLI_EXIT_COMPLETE : fail(&diag);
}

const cli_command cli_report = {
    .name = "report",
    .words = "[OPTIONS] [DIR]",
    .text = "print a session, or export it in another format",
    .table = report_table,
    .exits = "  0   the output was written, whatever the session found\n"
             "  2   usage error, or there is no such session\n",
    .main = report_main,
};

/* ---- one finding, for treadle show ---- */

static td_status put_page(const rep_past *p, td_text *out, td_diag *diag)
{
    TD_ASSERT(p->pages.len > 0); /* cli_past_of_recording finds one or fails */
    rep_page_print(&p->pages.at[0], out);
    return TD_OK;
}

int cli_show_as(const char *finding, cli_show_format format)
{
    static const put_function puts[] = {[CLI_SHOW_DOT] = put_dot,
                                        [CLI_SHOW_PERFETTO] = put_perfetto,
                                        [CLI_SHOW_WITNESS] = cli_past_witness,
                                        [CLI_SHOW_JSON] = put_page};
    td_diag diag = {0};
    rep_past past = {0};
    TD_ASSERT((unsigned)format < sizeof puts / sizeof puts[0]);
    char *path = NULL;
    td_status status = sto_find_recording(finding, &path, &diag);
    if (status == TD_OK)
        status = cli_past_of_recording(path, &past, &diag);
    if (status == TD_OK)
        status = write_format(&past, puts[format], "-", &diag);
    rep_past_fini(&past);
    td_free(path);
    return status == TD_OK ? CLI_EXIT_COMPLETE : fail(&diag);
}
