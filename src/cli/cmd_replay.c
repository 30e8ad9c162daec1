/* SPDX-License-Identifier: Apache-2.0 */
/* treadle replay and treadle show. */
#include "cli/cli.h"

#include "base/vec.h"
#include "session/session.h"
#include "store/store.h"

#define REPLAY_OPTIONS(X)                                                                \
    X(gdb, "gdb", 0, FLAG, 0, 0, 0, "",                                                  \
      "open gdb at the failing point, with real threads")                                \
    X(dap, "dap", 0, FLAG, 0, 0, 0, "",                                                  \
      "the same for an editor: a debug adapter (gdb 14 or newer)")                       \
    X(carrier, "carrier", 0, CHOICE, 0, 0, 0, "fibers|threads",                          \
      "run threads as CARRIER (default: fibers)")                                        \
    X(program, "program", 0, TEXT, 0, 0, 0, "PATH",                                      \
      "run PATH instead of the recorded program")                                        \
    X(times, "times", 0, NUMBER, 1, UINT32_MAX, 1, "N", "replay N times")                \
    X(quiet, "quiet", 'q', FLAG, 0, 0, 0, "", "hide the program's output")               \
    X(keep_files, "keep-files", 0, FLAG, 0, 0, 0, "", "do not undo changes to files")    \
    X(timeout, "timeout", 0, DURATION, 0, 0, 0, "DURATION",                              \
      "no operation for DURATION is a hang (default: 2s)")                               \
    X(restart, "restart", 0, CHOICE, 0, 0, 0, "snapshot|fork", NULL)

typedef struct replay_fields {
    REPLAY_OPTIONS(CLI_DECLARE_FIELD)
} replay_fields;

#define SHOW_OPTIONS(X)                                                                  \
    X(full, "full", 0, FLAG, 0, 0, 0, "", "show every step")                             \
    X(dot, "dot", 0, FLAG, 0, 0, 0, "", "events, for Graphviz")                          \
    X(perfetto, "perfetto", 0, FLAG, 0, 0, 0, "", "timeline, for Perfetto and Chrome")   \
    X(witness, "witness", 0, FLAG, 0, 0, 0, "", "SV-COMP violation witness, YAML")       \
    X(json, "json", 0, FLAG, 0, 0, 0, "", "report as JSON")                              \
    X(html, "html", 0, FLAG, 0, 0, 0, "", "write an HTML page and print its path")       \
    X(output, "output", 'o', TEXT, 0, 0, 0, "FILE",                                      \
      "path of the page (default: ID.html in the session)")                              \
    X(editor, "editor", 0, CHOICE, 0, 0, 0, "none|vscode|vscodium|zed",                  \
      "make lines of the page open in EDITOR (default: none)")

typedef struct show_fields {
    SHOW_OPTIONS(CLI_DECLARE_FIELD)
} show_fields;

#define X(...) CLI_TABLE_ROW(replay_fields, __VA_ARGS__)
static const cli_option replay_table[] = {REPLAY_OPTIONS(X){0}};
#undef X
#define X(...) CLI_TABLE_ROW(show_fields, __VA_ARGS__)
static const cli_option show_table[] = {SHOW_OPTIONS(X){0}};
#undef X

/* The recording's path comes last, from the one word of the command. */
static int replay_finding(const cli_command *self, const cli_words *words,
                          ses_replay_opts opts)
{
    if (words->n != 1)
        return cli_fail(CLI_EXIT_USAGE, "%s requires one finding: treadle %s %s",
                        self->name, self->name, self->words);
    td_diag diag = {0};
    char *path = NULL;
    if (sto_find_recording(words->at[0], &path, &diag) != TD_OK)
        return cli_fail(CLI_EXIT_USAGE, "%s", diag.text);
    opts.path = path;
    ses_replay_result result;
    rep_past past = {0};
    td_diag none = {0}; /* a recording alone has no section FIX */
    if (!opts.program && !opts.gdb && cli_past_of_recording(path, &past, &none) == TD_OK)
        opts.fix = &past.pages.at[0].fix;
    td_status status = ses_replay(&opts, &ses_exec_run, &result, &diag);
    rep_past_fini(&past);
    td_free(path);
    if (status == TD_E_FORMAT)
        return cli_fail(CLI_EXIT_USAGE, "%s", diag.text);
    if (status != TD_OK)
        return cli_fail_status(status, &diag);
    if (result.n_failed > 0)
        return CLI_EXIT_FOUND;
    if (result.n_shown < result.n_times)
        return CLI_EXIT_NOT_REPRODUCED;
    return result.is_run ? CLI_EXIT_COMPLETE : CLI_EXIT_FOUND;
}

static int replay_main(const cli_command *self, int argc, char **argv)
{
    replay_fields f = {0};
    cli_words words = {argc - 1, argv + 1};
    int code = cli_command_parse(self, &words, &f);
    if (code >= 0)
        return code;
    return replay_finding(self, &words,
                          (ses_replay_opts){
                              .program = f.program,
                              .times = (uint32_t)f.times,
                              .restart = (uint32_t)f.restart,
                              .carrier = (uint32_t)f.carrier,
                              .timeout_ms = f.timeout < UINT32_MAX ? (uint32_t)f.timeout
                                                                   : UINT32_MAX,
                              .gdb = f.gdb || f.dap,
                              .dap = f.dap,
                              .keep_files = f.keep_files,
                              .keep_output = !f.quiet && !f.dap,
                              .quiet = f.quiet || f.dap,
                              .report = cli_report_opts(),
                          });
}

/* Prints the finding in the requested format from the stored session, without running the program. Returns
 * -1 if no format was requested. */
static int show_as(const show_fields *f, const cli_words *words)
{
    const bool asked[] = {[CLI_SHOW_DOT] = f->dot,
                          [CLI_SHOW_PERFETTO] = f->perfetto,
                          [CLI_SHOW_WITNESS] = f->witness,
                          [CLI_SHOW_JSON] = f->json};
    for (size_t i = 0; words->n == 1 && i < sizeof asked / sizeof asked[0]; i++)
        if (asked[i])
            return cli_show_as(words->at[0], (cli_show_format)i);
    return -1;
}

static int show_main(const cli_command *self, int argc, char **argv)
{
    static const char *const editors[] = {NULL, "vscode", "vscodium", "zed"};
    show_fields f = {0};
    cli_words words = {argc - 1, argv + 1};
    int code = cli_command_parse(self, &words, &f);
    if (code >= 0)
        return code;
    if (f.output != NULL && !f.html)
        return cli_fail(CLI_EXIT_USAGE, "show: --output requires --html");
    if (f.editor && !f.html)
        return cli_fail(CLI_EXIT_USAGE, "show: --editor requires --html");
    if (f.html && words.n == 1)
        return cli_show_html(words.at[0], f.output, editors[f.editor]);
    code = show_as(&f, &words);
    if (code >= 0)
        return code;
    ses_replay_opts opts = {.report = cli_report_opts()};
    opts.report.full = f.full;
    code = replay_finding(self, &words, opts);
    return code == CLI_EXIT_FOUND ? CLI_EXIT_COMPLETE : code;
}

const cli_command cli_replay = {
    .name = "replay",
    .words = "[OPTIONS] FINDING",
    .text = "replay a finding, given its id or recording",
    .table = replay_table,
    .main = replay_main,
};

const cli_command cli_show = {
    .name = "show",
    .words = "[OPTIONS] FINDING",
    .text = "print the report of a finding again",
    .table = show_table,
    .exits = "  0   the output was written\n"
             "  2   usage error, or there is no such finding\n",
    .main = show_main,
};
