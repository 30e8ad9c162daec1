/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli.h"

#include "base/vec.h"
#include "session/session.h"
#include "store/store.h"

#define REPLAY_OPTIONS(X)                                                                \
    X(gdb, "gdb", 0, FLAG, 0, 0, 0, "",                                                  \
      "open gdb at the failing point, with real threads")                                \
    X(carrier, "carrier", 0, CHOICE, 0, 0, 0, "fibers|threads",                          \
      "what threads run on (fibers)")                                                    \
    X(times, "times", 0, NUMBER, 1, UINT32_MAX, 1, "N", "replay N times")                \
    X(quiet, "quiet", 'q', FLAG, 0, 0, 0, "", "hide the program's output")               \
    X(timeout, "timeout", 0, DURATION, 0, 0, 0, "DURATION",                              \
      "a run without an operation for so long hangs (2s)")                               \
    X(restart, "restart", 0, CHOICE, 0, 0, 0, "snapshot|fork", NULL)

typedef struct replay_fields {
    REPLAY_OPTIONS(CLI_DECLARE_FIELD)
} replay_fields;

#define SHOW_OPTIONS(X)                                                                  \
    X(full, "full", 0, FLAG, 0, 0, 0, "", "every step")                                  \
    X(html, "html", 0, LATER, 0, 0, 0, "", NULL)

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
        return cli_fail(CLI_EXIT_USAGE, "%s wants one finding: treadle %s %s", self->name,
                        self->name, self->words);
    td_diag diag = {0};
    char *path = NULL;
    if (sto_find_recording(words->at[0], &path, &diag) != TD_OK)
        return cli_fail(CLI_EXIT_USAGE, "%s", diag.text);
    opts.path = path;
    ses_replay_result result;
    td_status status = ses_replay(&opts, &ses_exec_run, &result, &diag);
    td_free(path);
    if (status == TD_E_FORMAT)
        return cli_fail(CLI_EXIT_USAGE, "%s", diag.text);
    if (status != TD_OK)
        return cli_fail_status(status, &diag);
    return result.n_shown == result.n_times ? CLI_EXIT_FOUND : CLI_EXIT_NOT_REPRODUCED;
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
                              .times = (uint32_t)f.times,
                              .restart = (uint32_t)f.restart,
                              .carrier = (uint32_t)f.carrier,
                              .timeout_ms = f.timeout < UINT32_MAX ? (uint32_t)f.timeout
                                                                   : UINT32_MAX,
                              .gdb = f.gdb,
                              .keep_output = !f.quiet,
                              .quiet = f.quiet,
                              .report = cli_report_opts(),
                          });
}

static int show_main(const cli_command *self, int argc, char **argv)
{
    show_fields f = {0};
    cli_words words = {argc - 1, argv + 1};
    int code = cli_command_parse(self, &words, &f);
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
    .text = "run a finding again: its id, or the path of its recording",
    .table = replay_table,
    .main = replay_main,
};

const cli_command cli_show = {
    .name = "show",
    .words = "[OPTIONS] FINDING",
    .text = "print the report of a finding again",
    .table = show_table,
    .main = show_main,
};
