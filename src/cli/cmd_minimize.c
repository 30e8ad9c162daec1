/* SPDX-License-Identifier: Apache-2.0 */
/* treadle minimize. */
#include "cli/cli.h"

#include "session/session.h"
#include "suite/minimize.h"

#define MINIMIZE_OPTIONS(X)                                                              \
    X(out, "out", 0, TEXT, 0, 0, 0, "DIR",                                               \
      "directory of the suite (default: treadle-suite)")                                 \
    X(force, "force", 0, FLAG, 0, 0, 0, "", "replace an existing suite")

typedef struct minimize_fields {
    MINIMIZE_OPTIONS(CLI_DECLARE_FIELD)
} minimize_fields;

#define X(...) CLI_TABLE_ROW(minimize_fields, __VA_ARGS__)
static const cli_option minimize_table[] = {MINIMIZE_OPTIONS(X){0}};
#undef X

static int exit_of(const sui_min_result *r)
{
    if (r->n_failed > 0)
        return CLI_EXIT_FOUND;
    if (r->n_kept + r->n_bugs == 0)
        return cli_fail(CLI_EXIT_NOT_REPRODUCED, "no usable recording");
    return CLI_EXIT_COMPLETE;
}

static int minimize_main(const cli_command *self, int argc, char **argv)
{
    minimize_fields f = {0};
    cli_words words = {argc - 1, argv + 1};
    int code = cli_command_parse(self, &words, &f);
    if (code >= 0)
        return code;
    if (words.n == 0)
        return cli_fail(CLI_EXIT_USAGE,
                        "minimize requires recordings, or the directory of "
                        "a session: treadle minimize DIR|RECORDING...");
    sui_min_opts opts = {.paths = words.at,
                         .n = (size_t)words.n,
                         .out_dir = f.out,
                         .force = f.force,
                         .exec = &ses_exec_run};
    sui_min_result result;
    td_diag diag = {0};
    td_status status = sui_minimize(&opts, &result, &diag);
    return status == TD_OK ? exit_of(&result) : cli_fail_status(status, &diag);
}

const cli_command cli_minimize = {
    .name = "minimize",
    .words = "[OPTIONS] DIR|RECORDING...",
    .text = "create a small regression suite from recorded runs",
    .table = minimize_table,
    .main = minimize_main,
};
