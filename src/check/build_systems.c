/* SPDX-License-Identifier: Apache-2.0 */
/* Build systems: how a project is built with treadle cc, and which tests it names. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/check_int.h"
#include "report/formats/test_lists.h"
#include "wire/started.h"

#define MAX_LIST ((size_t)64 << 20) /* bytes */
#define TESTS_MS (10u * 60u * 1000u)
#define FLAGS "-g -O1"
#define TAIL_LINES 15

/* ---- commands ---- */

static void setenv_if_none(const char *name, const char *value)
{
    setenv(name, value, 0);
}

/* For this process and all it starts. Compilers that a Makefile names are ours as well. */
static void set_compilers(const chk *c)
{
    char *bin = chk_join(c->opts->work, "bin"), *cc = chk_join(bin, "treadle-cc"),
         *cxx = chk_join(bin, "treadle-c++");
    td_text path = {0};
    const char *before = getenv("PATH");
    td_text_add(&path, "%s:%s", bin, before ? before : "/usr/bin:/bin");
    setenv("PATH", path.at, 1);
    setenv("CC", cc, 1);
    setenv("CXX", cxx, 1);
    setenv_if_none("CFLAGS", FLAGS);
    setenv_if_none("CXXFLAGS", FLAGS);
    setenv("CK_FORK", "no", 1); /* Check: cases in this process */
    td_text_fini(&path);
    td_free(bin);
    td_free(cc);
    td_free(cxx);
}

static td_status make_compilers(const chk *c, td_diag *diag)
{
    static const char *const names[] = {"treadle-cc", "treadle-c++", "cc",  "gcc",
                                        "clang",      "c++",         "g++", "clang++"};
    char *bin = chk_join(c->opts->work, "bin");
    td_status status = TD_OK;
    mkdir(bin, 0777);
    for (size_t i = 0; status == TD_OK && i < sizeof names / sizeof names[0]; i++) {
        char *link = chk_join(bin, names[i]);
        unlink(link);
        if (symlink(c->opts->compiler, link) != 0)
            status = td_diag_errno(diag, TD_E_USAGE, "cannot create %s", link);
        td_free(link);
    }
    td_free(bin);
    return status;
}

/* A step of the build; the end of its output is shown if it fails. */
static td_status step(const chk *c, const char *dir, const char *const *words,
                      td_diag *diag)
{
    int code = chk_command_run(&(chk_command){.words = words, .dir = dir, .log = c->log});
    if (code == 0)
        return TD_OK;
    chk_tail(c->log, TAIL_LINES, c->opts->err);
    return td_diag_set(diag, TD_E_USAGE, "cannot build the project: %s failed (%s)",
                       words[0], c->log);
}

#define STEP(c, dir, diag, ...)                                                          \
    step(c, dir, (const char *const[]){__VA_ARGS__, NULL}, diag)

td_status chk_observe(chk *c, const char *const *words, td_diag *diag)
{
    const char *dir = c->build;
    unlink(c->started);
    setenv(WIRE_ENV_STARTED, c->started, 1);
    int code = chk_command_run(
        &(chk_command){.words = words, .dir = dir, .log = c->log, .most_ms = TESTS_MS});
    unsetenv(WIRE_ENV_STARTED);
    if (code == 127)
        return td_diag_set(diag, TD_E_USAGE, "cannot run %s (%s)", words[0], c->log);
    chk_started_read(c);
    return TD_OK;
}

/* ---- lists of tests ---- */

static td_status take_list(chk *c, const char *const *words, rep_test_list kind,
                           td_diag *diag)
{
    char *file = chk_join(c->opts->work, "tests.json");
    td_text text = {0};
    rep_test_vec tests = {0};
    td_status status = TD_OK;
    if (chk_command_run(&(chk_command){
            .words = words, .dir = c->build, .output = file, .most_ms = TESTS_MS}) != 0)
        status = td_diag_set(diag, TD_E_USAGE, "%s does not list the tests (%s)",
                             words[0], file);
    if (status == TD_OK)
        status = td_file_read(file, MAX_LIST, &text, diag);
    if (status == TD_OK)
        status = rep_tests_read(kind, text.at ? text.at : "", text.len, &tests, diag);
    for (size_t i = 0; i < tests.len; i++) {
        rep_test *from = &tests.at[i];
        chk_test t = {.name = td_strdup(from->name)};
        t.program = from->words.len > 0 ? td_strdup(from->words.at[0]) : td_strdup("");
        for (size_t w = 1; w < from->words.len; w++)
            sto_text_vec_push(&t.args, td_strdup(from->words.at[w]));
        for (size_t e = 0; e < from->env.len; e++)
            sto_text_vec_push(&t.env, td_strdup(from->env.at[e]));
        t.dir = td_strdup(from->dir ? from->dir : c->build);
        chk_test_vec_push(&c->tests, t);
    }
    rep_tests_fini(&tests);
    td_text_fini(&text);
    td_free(file);
    return status;
}

/* ---- build systems ---- */

static td_status build_cmake(chk *c, const char *jobs, td_diag *diag)
{
    TD_TRY(STEP(c, NULL, diag, "cmake", "-S", c->source, "-B", c->build,
                "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=" FLAGS,
                "-DCMAKE_CXX_FLAGS_DEBUG=" FLAGS, "-DBUILD_TESTING=ON"));
    TD_TRY(STEP(c, NULL, diag, "cmake", "--build", c->build, "-j", jobs));
    return take_list(c, (const char *const[]){"ctest", "--show-only=json-v1", NULL},
                     REP_TESTS_CTEST, diag);
}

static td_status build_meson(chk *c, const char *jobs, td_diag *diag)
{
    if (!chk_exists(c->build, "build.ninja"))
        TD_TRY(STEP(c, NULL, diag, "meson", "setup", c->build, c->source,
                    "--buildtype=debug", "-Doptimization=1"));
    TD_TRY(STEP(c, NULL, diag, "meson", "compile", "-C", c->build, "-j", jobs));
    return take_list(
        c, (const char *const[]){"meson", "introspect", "--tests", c->build, NULL},
        REP_TESTS_MESON, diag);
}

static td_status run_tests(chk *c, const char *const *words, td_diag *diag)
{
    TD_TRY(chk_observe(c, words, diag));
    return TD_OK;
}

static td_status build_autotools(chk *c, const char *jobs, td_diag *diag)
{
    TD_TRY(chk_copy(c->source, c->build, diag));
    if (!chk_exists(c->build, "configure"))
        TD_TRY(STEP(c, c->build, diag, "autoreconf", "-fi"));
    if (!chk_exists(c->build, "config.status"))
        TD_TRY(STEP(c, c->build, diag, "./configure"));
    TD_TRY(STEP(c, c->build, diag, "make", "-j", jobs));
    return run_tests(c, (const char *const[]){"make", "-k", "check", NULL}, diag);
}

static bool has_target(const chk *c, const char *target)
{
    return chk_command_run(
               &(chk_command){.words = (const char *const[]){"make", "-n", target, NULL},
                              .dir = c->build,
                              .log = c->log,
                              .most_ms = TESTS_MS}) == 0;
}

static td_status build_make(chk *c, const char *jobs, td_diag *diag)
{
    td_text cc = {0}, cxx = {0};
    TD_TRY(chk_copy(c->source, c->build, diag));
    td_text_add(&cc, "CC=%s", getenv("CC"));
    td_text_add(&cxx, "CXX=%s", getenv("CXX"));
    td_status status = STEP(c, c->build, diag, "make", "-j", jobs, cc.at, cxx.at);
    const char *target = has_target(c, "check")  ? "check"
                         : has_target(c, "test") ? "test"
                                                 : NULL;
    if (status == TD_OK && !target)
        status = td_diag_set(diag, TD_E_USAGE,
                             "the Makefile has neither check nor test: name the command "
                             "that runs the tests: treadle check -- COMMAND");
    if (status == TD_OK)
        status =
            run_tests(c, (const char *const[]){"make", "-k", target, cc.at, cxx.at, NULL},
                      diag);
    td_text_fini(&cc);
    td_text_fini(&cxx);
    return status;
}

/* The first whose file is there is the project's. */
static const struct {
    const char *file, *name;
    td_status (*build)(chk *c, const char *jobs, td_diag *diag);
} systems[] = {
    {"CMakeLists.txt", "CMake", build_cmake},
    {"meson.build", "Meson", build_meson},
    {"configure", "autotools", build_autotools},
    {"configure.ac", "autotools", build_autotools},
    {"GNUmakefile", "make", build_make},
    {"makefile", "make", build_make},
    {"Makefile", "make", build_make},
};

static td_status run_command(chk *c, td_diag *diag)
{
    const char **words = td_alloc((c->opts->n_command + 1) * sizeof *words);
    for (size_t i = 0; i < c->opts->n_command; i++)
        words[i] = c->opts->command[i];
    td_free(c->build);
    c->build = td_strdup(c->source);
    fprintf(c->opts->err, "treadle check: running %s (%s)\n", words[0], c->log);
    td_status status = chk_observe(c, words, diag);
    td_free(words);
    return status;
}

td_status chk_project(chk *c, td_diag *diag)
{
    char jobs[16];
    snprintf(jobs, sizeof jobs, "%" PRIu32, c->opts->jobs ? c->opts->jobs : 1);
    TD_TRY(make_compilers(c, diag));
    set_compilers(c);
    if (c->opts->n_command > 0)
        return run_command(c, diag);
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        if (!chk_exists(c->source, systems[i].file))
            continue;
        fprintf(c->opts->err, "treadle check: %s project, built in %s (%s)\n",
                systems[i].name, c->build, c->log);
        return systems[i].build(c, jobs, diag);
    }
    return td_diag_set(diag, TD_E_USAGE,
                       "%s has no CMakeLists.txt, meson.build, configure or Makefile: "
                       "name the command that builds and runs the tests: treadle check "
                       "-- COMMAND",
                       c->source);
}
