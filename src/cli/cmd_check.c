/* SPDX-License-Identifier: Apache-2.0 */
/* treadle check: the tests of a project. */
#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/vec.h"
#include "check/check.h"
#include "cli/suite_command.h"
#include "store/manifest.h"
#include "store/store.h"

#define CHECK_MS (5u * 60u * 1000u)

#define CHECK_OPTIONS(X)                                                                 \
    X(time, "time", 0, DURATION, 0, 0, 0, "DURATION",                                    \
      "time for all cases together (default: 5m)")                                       \
    X(jobs, "jobs", 'j', NUMBER, 1, 1024, 0, "N",                                        \
      "cases in parallel (default: one per processor)")                                  \
    X(expect, "expect", 0, CHOICE, 0, 0, 0, "complete|no-bug|bug",                       \
      "expected result per case (default: complete)")                                    \
    X(dir, "dir", 'C', TEXT, 0, 0, 0, "DIR", "folder of the project (default: .)")       \
    X(keep_going, "keep-going", 'k', FLAG, 0, 0, 0, "",                                  \
      "do not stop at the first bug of a case")                                          \
    X(first, "first", 0, FLAG, 0, 0, 0, "",                                              \
      "stop at the first bug, also if it is a data race")                                \
    X(junit, "junit", 0, TEXT, 0, 0, 0, "FILE", "JUnit XML (default: junit.xml of DIR)") \
    X(sarif, "sarif", 0, TEXT, 0, 0, 0, "FILE", "SARIF (default: findings.sarif)")       \
    X(out, "out", 0, TEXT, 0, 0, 0, "DIR",                                               \
      "build and results (default: treadle-out/check)")                                  \
    X(quiet, "quiet", 'q', FLAG, 0, 0, 0, "", "do not show progress")

typedef struct check_fields {
    CHECK_OPTIONS(CLI_DECLARE_FIELD)
} check_fields;

#define X(...) CLI_TABLE_ROW(check_fields, __VA_ARGS__)
static const cli_option check_table[] = {CHECK_OPTIONS(X){0}};
#undef X

static void check_help(FILE *to)
{
    fputs("\nBuilds the project of this folder with treadle cc in a folder of its own "
          "(CMake,\n"
          "Meson, autotools or make), explores each of its tests by case, and prints a\n"
          "table. With '-- COMMAND' the programs that COMMAND starts are the tests.\n",
          to);
}

static char *join(const char *dir, const char *name)
{
    td_text path = {0};
    td_text_add(&path, "%s/%s", dir, name);
    return path.at;
}

/* So that `treadle replay ID` finds what this check found. */
static void link_latest(void)
{
    char *latest = join(sto_out_dir(), "latest");
    unlink(latest);
    if (symlink("check/cases", latest) != 0)
        fprintf(stderr, "treadle: cannot create %s: %s\n", latest, strerror(errno));
    td_free(latest);
}

/* Absolute, since tests run in folders of their own. */
static td_status make_work(const char *given, char *out, td_diag *diag)
{
    char *dir = NULL;
    char *by_default = join(sto_out_dir(), "check");
    td_status status = sto_dir_create(given ? given : by_default, "check", &dir, diag);
    if (status == TD_OK && !realpath(dir, out))
        status = td_diag_errno(diag, TD_E_USAGE, "cannot read %s", dir);
    td_free(dir);
    td_free(by_default);
    return status;
}

static td_status find_compiler(char *out, size_t size, td_diag *diag)
{
    ssize_t n = readlink("/proc/self/exe", out, size - 16);
    char *slash = n > 0 ? (out[n] = 0, strrchr(out, '/')) : NULL;
    if (!slash)
        return td_diag_set(diag, TD_E_USAGE,
                           "cannot determine where treadle is installed");
    strcpy(slash, "/treadle-cc");
    if (access(out, X_OK) != 0)
        return td_diag_errno(diag, TD_E_USAGE, "cannot run %s", out);
    return TD_OK;
}

static td_status check(const check_fields *f, const cli_words *words, const char *work,
                       sui_outcome *worst, td_diag *diag)
{
    char compiler[PATH_MAX];
    TD_TRY(find_compiler(compiler, sizeof compiler, diag));
    chk_opts opts = {.dir = f->dir ? f->dir : ".",
                     .work = work,
                     .compiler = compiler,
                     .command = words->at,
                     .n_command = (size_t)words->n,
                     .jobs = f->jobs ? (uint32_t)f->jobs : cli_jobs(),
                     .err = stderr};
    size_t n_tests = 0;
    TD_TRY(chk_prepare(&opts, &n_tests, diag));
    char *manifest = join(work, STO_MANIFEST), *runs = join(work, "cases"),
         *junit = join(work, "junit.xml"), *sarif = join(work, "findings.sarif"),
         *page = join(work, "index.html");
    const char *passed[2];
    size_t n_passed = 0;
    if (f->keep_going)
        passed[n_passed++] = "--keep-going";
    if (f->first)
        passed[n_passed++] = "--first";
    sui_opts suite = {.path = manifest,
                      .options = passed,
                      .n_options = n_passed,
                      .total_ms = f->time ? f->time : CHECK_MS,
                      .jobs = opts.jobs,
                      .expect = (sui_expect)f->expect,
                      .out_dir = runs,
                      .junit = f->junit ? f->junit : junit,
                      .quiet = f->quiet,
                      .title = "check",
                      .tells_next = true,
                      .report = cli_report_opts()};
    if (!f->out)
        link_latest();
    td_status status = sui_run(&suite, worst, diag);
    if (status == TD_OK)
        status = cli_suite_pages(runs, f->sarif ? f->sarif : sarif, page, diag);
    if (status == TD_OK && !f->quiet)
        fprintf(stderr, "treadle check: %s, %s, %s\n", page, suite.junit,
                f->sarif ? f->sarif : sarif);
    td_free(manifest);
    td_free(runs);
    td_free(junit);
    td_free(sarif);
    td_free(page);
    return status;
}

static int check_main(const cli_command *self, int argc, char **argv)
{
    check_fields f = {0};
    cli_words words = {argc - 1, argv + 1};
    int code = cli_command_parse(self, &words, &f);
    if (code >= 0)
        return code;
    sui_outcome worst = SUI_COMPLETE;
    char work[PATH_MAX];
    td_diag diag = {0};
    td_status status = make_work(f.out, work, &diag);
    if (status == TD_OK)
        status = check(&f, &words, work, &worst, &diag);
    return status == TD_OK ? cli_suite_exit(worst) : cli_fail_status(status, &diag);
}

const cli_command cli_check = {
    .name = "check",
    .words = "[OPTIONS] [-- COMMAND...]",
    .text = "build a project and explore its own tests",
    .table = check_table,
    .help = check_help,
    .main = check_main,
};
