/* SPDX-License-Identifier: Apache-2.0 */
/* treadle weaken: which memory orders a harness needs. */
#include "cli/cli.h"

#include <unistd.h>

#include "base/assert.h"
#include "weaken/weaken.h"

#define DEFAULT_TIME_MS 60000u

#define WEAKEN_OPTIONS(X)                                                                \
    X(alone, "alone", 0, FLAG, 0, 0, 0, "", "do not weaken several orders together")     \
    X(runs, "runs", 0, NUMBER, 1, UINT64_MAX, 0, "N",                                    \
      "stop each exploration after N runs")                                              \
    X(time, "time", 0, DURATION, 0, 0, 0, "DURATION",                                    \
      "time limit per exploration (default: 1m)")                                        \
    X(depth, "depth", 0, NUMBER, 1, UINT32_MAX, 0, "N",                                  \
      "end a run after N operations (default: 100000)")                                  \
    X(suppressions, "suppressions", 0, TEXT, 0, 0, 0, "FILE",                            \
      "suppress findings in FILE (ThreadSanitizer syntax)")                              \
    X(exit_code, "exit-code", 0, WORD, 0, 0, 0, "report|ignore",                         \
      "a non-zero exit status is a bug, or not (default: report)")                       \
    X(leaks, "leaks", 0, FLAG, 0, 0, 0, "", "report leaked memory at exit")              \
    X(timeout, "timeout", 0, DURATION, 0, 0, 0, "DURATION",                              \
      "no operation for DURATION is a hang (default: 2s)")                               \
    X(memory, "memory", 0, NUMBER, 1, 1u << 20, 1024, "MIB",                             \
      "allocation limit per run (default: 1024)")                                        \
    X(out, "out", 0, TEXT, 0, 0, 0, "DIR",                                               \
      "session directories (default: in treadle-out)")                                   \
    X(json, "json", 0, TEXT, 0, 0, 0, "FILE", "write the result as JSON")                \
    X(sarif, "sarif", 0, TEXT, 0, 0, 0, "FILE", "write the result as SARIF 2.1.0")       \
    X(quiet, "quiet", 'q', FLAG, 0, 0, 0, "", "do not show progress")

typedef struct weaken_fields {
    WEAKEN_OPTIONS(CLI_DECLARE_FIELD)
} weaken_fields;

#define X(...) CLI_TABLE_ROW(weaken_fields, __VA_ARGS__)
static const cli_option weaken_table[] = {WEAKEN_OPTIONS(X){0}};
#undef X

/* Memory is out: nothing is tidied up. */
static void exit_with(rep_verdict verdict)
{
    (void)verdict;
    _exit(CLI_EXIT_INCOMPLETE);
}

static ses_opts session_opts(const weaken_fields *f, char **argv)
{
    TD_ASSERT(argv[0] != NULL && f->memory <= UINT64_MAX >> 20);
    return (ses_opts){
        .version = TREADLE_VERSION,
        .argv = argv,
        .suppressions = f->suppressions,
        .stop_at_first = true,
        .runs = f->runs,
        .time_ms = f->time ? f->time : DEFAULT_TIME_MS,
        .depth = (uint32_t)f->depth,
        .ignores_exit = f->exit_code == 1,
        .leaks = f->leaks,
        .timeout_ms = f->timeout < UINT32_MAX ? (uint32_t)f->timeout : UINT32_MAX,
        .heap_limit = f->memory << 20,
        .seed = 1,
        .exits = exit_with,
        .report = cli_report_opts(),
    };
}

static int exit_of(const rep_weakening *w)
{
    if (w->base.answer == REP_NEEDED)
        return CLI_EXIT_FOUND;
    return rep_weakening_is_open(w) ? CLI_EXIT_INCOMPLETE : CLI_EXIT_COMPLETE;
}

static td_status write_file(const char *path, const rep_weakening *w,
                            void (*print)(const rep_weakening *w, td_text *out),
                            td_diag *diag)
{
    td_text text = {0};
    if (!path)
        return TD_OK;
    print(w, &text);
    td_status status = td_file_write(path, text.at, text.len, diag);
    td_text_fini(&text);
    return status;
}

static td_status print_all(const weaken_fields *f, const rep_weakening *w, td_diag *diag)
{
    td_text text = {0};
    rep_weakening_text(w, cli_report_opts().columns, &text);
    fwrite(text.at, 1, text.len, stdout);
    td_text_fini(&text);
    TD_TRY(write_file(f->json, w, rep_weakening_json, diag));
    return write_file(f->sarif, w, rep_weakening_sarif, diag);
}

static int weaken_main(const cli_command *self, int argc, char **argv)
{
    weaken_fields f = {0};
    cli_words words = {argc - 1, argv + 1};
    int code = cli_command_parse(self, &words, &f);
    if (code >= 0)
        return code;
    if (words.n == 0)
        return cli_fail(CLI_EXIT_USAGE,
                        "weaken requires a program: treadle weaken [OPTIONS] [--] "
                        "PROGRAM [ARGS...]");
    wkn_opts opts = {.session = session_opts(&f, words.at),
                     .out_dir = f.out,
                     .alone = f.alone,
                     .quiet = f.quiet};
    rep_weakening result = {0};
    td_diag diag = {0};
    td_status status = wkn_run(&opts, &ses_exec_run, &result, &diag);
    if (status == TD_OK)
        status = print_all(&f, &result, &diag);
    code = status == TD_OK ? exit_of(&result) : cli_fail_status(status, &diag);
    rep_weakening_fini(&result);
    return code;
}

const cli_command cli_weaken = {
    .name = "weaken",
    .words = "[OPTIONS] [--] PROGRAM [ARGS...]",
    .text = "find memory orders that are stronger than a program needs",
    .table = weaken_table,
    .order = CLI_OPTIONS_FIRST,
    .exits = "  0   every order was decided\n"
             "  1   the program fails with its own memory orders\n"
             "  2   usage error, or the program cannot be run\n"
             "  3   some order was not decided\n"
             "  70  internal error\n",
    .main = weaken_main,
};
