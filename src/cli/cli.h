/* SPDX-License-Identifier: Apache-2.0 */
/* cli/cli.h - the command line: subcommands and exit codes.
 *
 * Purpose     Turns arguments into options of session/ and results into exit codes.
 * Invariants  stdout has results only; stderr has progress and messages that start with "treadle: ".
 * Threads     None.
 */
#pragma once

#include "base/status.h"
#include "cli/options.h"
#include "report/formats/past_session.h"
#include "report/report.h"

#define CLI_EXITS(X)                                                                     \
    X(COMPLETE, 0, "no bug found, and everything was covered (COMPLETE)")                \
    X(FOUND, 1, "bug found, or recorded failure reproduced")                             \
    X(USAGE, 2, "usage error, or the program cannot be run")                             \
    X(INCOMPLETE, 3, "no bug found, but not everything was covered")                     \
    X(NOT_REPRODUCED, 4, "recorded failure not reproduced")                              \
    X(INTERNAL, 70, "internal error")

enum cli_exit {
#define X(name, code, text) CLI_EXIT_##name = code,
    CLI_EXITS(X)
#undef X
};

/* A subcommand. argv[0] is its name. */
typedef struct cli_command {
    const char *name;
    const char *words;       /* rest of the usage line after the name */
    const char *text;        /* one line for the list of commands; NULL: not listed */
    const cli_option *table; /* options, ended by one without a name; NULL: none */
    cli_order order;
    int (*main)(const struct cli_command *self, int argc, char **argv);
    const char *const *often; /* options that --help shows, NULL behind them; NULL: all */
    const char *exits; /* exit codes of the help, in lines; NULL: all of CLI_EXITS */
    void (*help)(
        FILE *
            to); /* more of the help, at --help-all where --help is shorter; may be NULL */
} cli_command;

extern const cli_command cli_run, cli_replay, cli_show, cli_report, cli_doctor, cli_check,
    cli_test, cli_minimize, cli_weaken, cli_fix, cli_top, cli_worker, cli_farm,
    cli_svcomp, cli_mcp, cli_fuzz;

#define CLI_MAX_WORDS (64u << 10) /* bytes of the options of a campaign */

/* Checks the options of a campaign, one per line, as `treadle run` sent them to a farm. They are not
 * trusted: the check fails unless all of them affect only what is explored. */
TD_MUST_USE td_status cli_run_words_check(const char *text, td_diag *diag);

/* Workers where -j was not given; at least 1. */
uint32_t cli_jobs(void);

/* The options of a command. Returns -1 when there is work to do, else the exit code. */
int cli_command_parse(const cli_command *c, cli_words *words, void *fields);

/* Prints "treadle: " and the message on stderr; returns code. */
int cli_fail(int code, const char *format, ...) TD_PRINTF(2, 3);

/* The same for what a function reported. */
int cli_fail_status(td_status status, const td_diag *diag);

/* Call at the start: ensures that the standard streams are open, and that writing to a closed pipe, or
 * beyond the size limit of files, fails with an error instead of a signal. */
void cli_streams_open(void);
/* Call at the end: returns the exit code, which differs from `code` if the result could not be written. */
int cli_streams_close(int code);

/* Continues as treadle-cc, which lies beside treadle; argv[0] is any name. Returns only if it
 * cannot, with the exit code. */
int cli_become_cc(char **argv);

/* The page of a finding as HTML; output NULL: beside its recording. Returns the exit code. */
int cli_show_html(const char *finding, const char *output, const char *editor);

/* Width and colour of stdout. */
rep_opts cli_report_opts(void);

/* Reads a stored session for the formats: that of dir, or with NULL the newest one. If finding is not NULL,
 * *out has only the finding with this id, or whose recording has this name. *out is empty on failure. */
TD_MUST_USE td_status cli_past_read(const char *dir, const char *finding, rep_past *out,
                                    td_diag *diag);

/* The finding of a recording, from the session that lies beside it. */
TD_MUST_USE td_status cli_past_of_recording(const char *path, rep_past *out,
                                            td_diag *diag);

/* The violation witnesses of a session, YAML: of assertions and data races only. The facts specification
 * and data_model are those of the task, if they are there. */
TD_MUST_USE td_status cli_past_witness(const rep_past *p, td_text *out, td_diag *diag);

/* ses_opts.find_fix: `treadle fix` in a process of its own. */
struct ses_fix_request;
bool cli_find_fix(const struct ses_fix_request *request, rep_fix *out);

/* The page of a session for a browser. */
void cli_report_html(const rep_past *p, const char *dir, td_text *out);

/* A finding on stdout; returns the exit code. */
typedef enum cli_show_format {
    CLI_SHOW_DOT,
    CLI_SHOW_PERFETTO,
    CLI_SHOW_WITNESS,
    CLI_SHOW_JSON
} cli_show_format;
int cli_show_as(const char *finding, cli_show_format format);
