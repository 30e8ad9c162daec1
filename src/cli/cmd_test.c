/* SPDX-License-Identifier: Apache-2.0 */
/* treadle test: a suite. */
#include "cli/cli.h"

#include "base/vec.h"
#include "cli/suite_command.h"

/* The options that are passed on to every `treadle run`. */
#define PASSED_OPTIONS(X)                                                                \
    X(runs, "runs", 0, TEXT, 0, 0, 0, "N", "stop each harness after N runs")             \
    X(goal, "goal", 0, TEXT, 0, 0, 0, "GOAL", "coverage goal, as for treadle run")       \
    X(search, "search", 0, TEXT, 0, 0, 0, "NAME", "search strategy, as for treadle run") \
    X(suppressions, "suppressions", 0, TEXT, 0, 0, 0, "FILE",                            \
      "suppress findings listed in FILE")                                                \
    X(trust, "trust", 0, TEXT, 0, 0, 0, "NAME,...",                                      \
      "trust these uninstrumented functions")                                            \
    X(timeout, "timeout", 0, TEXT, 0, 0, 0, "DURATION",                                  \
      "no operation for DURATION is a hang (default: 2s)")

#define TEST_OPTIONS(X)                                                                  \
    X(time, "time", 0, DURATION, 0, 0, 0, "DURATION",                                    \
      "time limit per harness (default: 60s)")                                           \
    X(jobs, "jobs", 'j', NUMBER, 1, 1024, 0, "N",                                        \
      "harnesses in parallel (default: one per processor)")                              \
    X(expect, "expect", 0, CHOICE, 0, 0, 0, "complete|no-bug|bug",                       \
      "expected result per harness (default: complete)")                                 \
    X(keep_going, "keep-going", 'k', FLAG, 0, 0, 0, "",                                  \
      "do not stop at the first bug of a harness")                                       \
    X(first, "first", 0, FLAG, 0, 0, 0, "",                                              \
      "stop at the first bug, also if it is a data race")                                \
    X(trust_libraries, "trust-libraries", 0, FLAG, 0, 0, 0, "",                          \
      "trust all functions of shared libraries")                                         \
    X(exit_code, "exit-code", 0, WORD, 0, 0, 0, "report|ignore",                         \
      "a non-zero exit status is a bug, or not (default: report)")                       \
    PASSED_OPTIONS(X)                                                                    \
    X(replay_only, "replay-only", 0, FLAG, 0, 0, 0, "", "replay known recordings only")  \
    X(known, "known", 0, TEXT, 0, 0, 0, "DIR",                                           \
      "known recordings (default: treadle-known)")                                       \
    X(save, "save", 0, FLAG, 0, 0, 0, "",                                                \
      "add recordings of new bugs to the known ones")                                    \
    X(junit, "junit", 0, TEXT, 0, 0, 0, "FILE", "write the results as JUnit XML")        \
    X(out, "out", 0, TEXT, 0, 0, 0, "DIR",                                               \
      "session directories (default: treadle-out/test.N)")                               \
    X(quiet, "quiet", 'q', FLAG, 0, 0, 0, "", "do not show progress")

typedef struct test_fields {
    TEST_OPTIONS(CLI_DECLARE_FIELD)
} test_fields;

#define X(...) CLI_TABLE_ROW(test_fields, __VA_ARGS__)
static const cli_option test_table[] = {TEST_OPTIONS(X){0}};
#undef X

TD_VEC(char *, word_vec);

static void words_free(word_vec *words)
{
    for (size_t i = 0; i < words->len; i++)
        td_free(words->at[i]);
    word_vec_fini(words);
}

static void pass_on(word_vec *words, const char *name, const char *value)
{
    td_text text = {0};
    if (!value)
        return;
    td_text_add(&text, "--%s=%s", name, value);
    word_vec_push(words, text.at);
}

static void passed_options(const test_fields *f, word_vec *words)
{
#define X(field, name, ...) pass_on(words, name, f->field);
    PASSED_OPTIONS(X)
#undef X
    if (f->keep_going)
        word_vec_push(words, td_strdup("--keep-going"));
    if (f->first)
        word_vec_push(words, td_strdup("--first"));
    if (f->exit_code == 1)
        word_vec_push(words, td_strdup("--exit-code=ignore"));
    if (f->trust_libraries)
        word_vec_push(words, td_strdup("--trust-libraries"));
}

static int test_main(const cli_command *self, int argc, char **argv)
{
    test_fields f = {0};
    cli_words words = {argc - 1, argv + 1};
    int code = cli_command_parse(self, &words, &f);
    if (code >= 0)
        return code;
    if (words.n == 0)
        return cli_fail(CLI_EXIT_USAGE,
                        "test requires a directory or a manifest: treadle "
                        "test [OPTIONS] DIR|MANIFEST [NAME...]");
    word_vec passed = {0};
    passed_options(&f, &passed);
    sui_opts opts = {.path = words.at[0],
                     .only = words.at + 1,
                     .n_only = (size_t)words.n - 1,
                     .options = (const char *const *)passed.at,
                     .n_options = passed.len,
                     .time_ms = f.time,
                     .jobs = (uint32_t)f.jobs,
                     .expect = (sui_expect)f.expect,
                     .replay_only = f.replay_only,
                     .save = f.save,
                     .known = f.known,
                     .out_dir = f.out,
                     .junit = f.junit,
                     .quiet = f.quiet,
                     .report = cli_report_opts()};
    sui_outcome worst = SUI_COMPLETE;
    td_diag diag = {0};
    td_status status = sui_run(&opts, &worst, &diag);
    words_free(&passed);
    return status == TD_OK ? cli_suite_exit(worst) : cli_fail_status(status, &diag);
}

const cli_command cli_test = {
    .name = "test",
    .words = "[OPTIONS] DIR|MANIFEST [NAME...]",
    .text = "explore all harnesses in a directory or manifest",
    .table = test_table,
    .main = test_main,
};
