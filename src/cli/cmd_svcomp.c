/* SPDX-License-Identifier: Apache-2.0 */
/* treadle svcomp: a verifier with the interface of the competition SV-COMP. The answer is "true" if
 * everything was covered, "false" if a violation occurred in a run and was replayed, otherwise "unknown". */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/now.h"
#include "cli/child.h"
#include "cli/svcomp_follow.h"
#include "cli/svcomp_source.h"
#include "session/session.h"
#include "store/store.h"

#define MAX_TASK (64u << 20) /* bytes of a source */
#define MAX_WORDS (1u << 20) /* largest property file or task description */
#define DEFAULT_MS 60000u
#define EXPLAIN_MS 2000u

#define SVCOMP_OPTIONS(X)                                                                \
    X(property, "property", 0, TEXT, 0, 0, 0, "FILE", "the property, a .prp file")       \
    X(witness, "witness", 0, TEXT, 0, 0, 0, "FILE", "write the violation witness, YAML") \
    X(validate, "validate", 0, TEXT, 0, 0, 0, "FILE",                                    \
      "follow this violation witness, report if a run confirms it")                      \
    X(model, "data-model", 0, CHOICE, 0, 0, 0, "task|ILP32|LP64",                        \
      "data model (default: the task's, else ILP32)")                                    \
    X(time, "time", 0, DURATION, 0, 0, 0, "DURATION",                                    \
      "stop after DURATION (default: 60s)")                                              \
    X(out, "out", 0, TEXT, 0, 0, 0, "DIR",                                               \
      "program and sessions (default: treadle-out/NAME.N)")

typedef struct svcomp_fields {
    SVCOMP_OPTIONS(CLI_DECLARE_FIELD)
} svcomp_fields;

#define X(...) CLI_TABLE_ROW(svcomp_fields, __VA_ARGS__)
static const cli_option svcomp_table[] = {SVCOMP_OPTIONS(X){0}};
#undef X

enum { MODEL_OF_TASK, MODEL_ILP32, MODEL_LP64 };

/* ---- property and task ---- */

typedef enum property {
    UNREACH_CALL,
    NO_DATA_RACE,
    VALID_MEMSAFETY,
    N_PROPERTIES
} property;

static const struct {
    const char *text; /* text of the property file */
    property kind;
} properties[] = {
    {"call(reach_error())", UNREACH_CALL}, {"call(__VERIFIER_error())", UNREACH_CALL},
    {"data-race", NO_DATA_RACE},           {"valid-deref", VALID_MEMSAFETY},
    {"valid-free", VALID_MEMSAFETY},       {"valid-memtrack", VALID_MEMSAFETY},
};

/* The task, and where the answers go. */
typedef struct task {
    property kind;
    td_text formula; /* the property file, its first line */
    td_text source;  /* path */
    bool is_ilp32;
    char *dir; /* folder of the program and the sessions */
    td_text program;
    uint64_t end_ms;
    uint32_t n_sessions;
    bool with_leaks; /* they count as well */
} task;

static void task_fini(task *t)
{
    td_text_fini(&t->formula);
    td_text_fini(&t->source);
    td_text_fini(&t->program);
    td_free(t->dir);
}

static td_status read_property(const char *path, task *t, td_diag *diag)
{
    td_text text = {0};
    td_status status = td_file_read(path, MAX_WORDS, &text, diag);
    t->kind = N_PROPERTIES;
    for (size_t i = 0; status == TD_OK && i < sizeof properties / sizeof properties[0];
         i++)
        if (text.at && strstr(text.at, properties[i].text)) {
            t->kind = properties[i].kind;
            td_text_put(&t->formula, text.at, strcspn(text.at, "\n"));
            break;
        }
    if (status == TD_OK && t->kind == N_PROPERTIES)
        status =
            td_diag_set(diag, TD_E_USAGE,
                        "unsupported property in '%s': treadle decides unreach-call, "
                        "no-data-race and valid-memsafety",
                        path);
    td_text_fini(&text);
    return status;
}

/* Reads the value of a key in a task's description; false if it has none. Understands only the subset of
 * YAML that such files use. */
static bool yaml_value(const char *text, const char *key, td_text *out)
{
    static const char around[] = " \t'\"[]-\r\n";
    const char *at = strstr(text, key);
    if (at == NULL)
        return false;
    at += strlen(key);
    at += strspn(at, around);
    td_text_put(out, at, strcspn(at, "'\"],\r\n# "));
    return out->len > 0;
}

/* A description names its source, beside which it lies. */
static td_status read_description(const char *path, task *t, td_diag *diag)
{
    td_text text = {0}, name = {0}, model = {0};
    td_status status = td_file_read(path, MAX_WORDS, &text, diag);
    if (status == TD_OK && !yaml_value(text.at ? text.at : "", "input_files:", &name))
        status = td_diag_set(diag, TD_E_USAGE, "'%s' names no input_files", path);
    if (status == TD_OK) {
        const char *slash = strrchr(path, '/');
        td_text_add(&t->source, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path,
                    name.at);
        if (yaml_value(text.at, "data_model:", &model))
            t->is_ilp32 = strcmp(model.at, "LP64") != 0;
    }
    td_text_fini(&text);
    td_text_fini(&name);
    td_text_fini(&model);
    return status;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);
    return n >= k && strcmp(text + n - k, end) == 0;
}

static td_status read_task(const svcomp_fields *f, const char *path, task *t,
                           td_diag *diag)
{
    t->is_ilp32 = true;
    TD_TRY(read_property(f->property, t, diag));
    if (ends_with(path, ".yml"))
        TD_TRY(read_description(path, t, diag));
    else
        td_text_add(&t->source, "%s", path);
    if (f->model != MODEL_OF_TASK)
        t->is_ilp32 = f->model == MODEL_ILP32;
    return TD_OK;
}

/* ---- program ---- */

/* The source as this machine can run it, in the directory of the task. */
static td_status write_source(const task *t, const char *path, td_diag *diag)
{
    td_text text = {0}, out = {0};
    char *full = realpath(t->source.at, NULL);
    td_status status = td_file_read(t->source.at, MAX_TASK, &text, diag);
    td_text_add(&out, "#line 1 \"%s\"\n", full ? full : t->source.at);
    if (status == TD_OK && t->is_ilp32)
        status = cli_svcomp_source(text.at ? text.at : "", text.len, &out, diag);
    else if (status == TD_OK)
        td_text_put(&out, text.at ? text.at : "", text.len);
    if (status == TD_OK)
        status = td_file_replace(path, out.at, out.len, diag);
    free(full);
    td_text_fini(&text);
    td_text_fini(&out);
    return status;
}

/* Links although functions are undefined; calling one crashes. */
static td_status compile(task *t, td_diag *diag)
{
    td_text source = {0}, log = {0};
    td_text_add(&source, "%s/task.c", t->dir);
    td_text_add(&log, "%s/compiler.txt", t->dir);
    td_text_add(&t->program, "%s/task", t->dir);
    char *words[] = {"cc",
                     "-w",
                     "-g",
                     "-O1",
                     "-std=gnu11",
                     "-Wno-int-conversion",
                     "-Wno-incompatible-pointer-types",
                     "-Wno-implicit-function-declaration",
                     "-Wno-implicit-int",
                     "-fgnu89-inline",
                     "-fno-builtin",
                     "-pthread",
                     "-no-pie",
                     "-Wl,--unresolved-symbols=ignore-in-object-files",
                     source.at,
                     "-lm",
                     "-o",
                     t->program.at,
                     NULL};
    td_status status = write_source(t, source.at, diag);
    if (status == TD_OK && cli_child(words, log.at) != 0)
        status = td_diag_set(diag, TD_E_PROGRAM, "the task does not compile: see '%s'",
                             log.at);
    td_text_fini(&source);
    td_text_fini(&log);
    return status;
}

/* ---- plan ---- */

/* A goal or a search, with a limit of operations (0: none) and its share of the remaining time in percent.
 * says_true: if it finishes the answer is "true"; its goal must then cover every call that a run can make,
 * or every race. */
typedef struct plan_row {
    const char *goal, *search; /* NULL: the default */
    uint32_t depth, percent;
    bool says_true;
} plan_row;

#define MAX_ROWS 8u
#define PRODUCT_DEPTH 2048u /* longer threads have too many states for a product */
#define SAMPLE_DEPTH 8192u  /* a violation that takes longer is nothing to read */
#define SAMPLES                                                                          \
    {.depth = 64, .percent = 25},                                                        \
        {.search = "guided", .depth = SAMPLE_DEPTH, .percent = 75},                      \
        {.search = "pct", .depth = SAMPLE_DEPTH, .percent = 50},                         \
    {                                                                                    \
        .search = "random", .depth = SAMPLE_DEPTH, .percent = 100                        \
    }

/* Rows of a property are tried in order until there is an answer. A bound of 64 looks at short runs, where
 * inputs keep others in a loop. */
static const plan_row plans[N_PROPERTIES][MAX_ROWS] = {
    [UNREACH_CALL] = {{.goal = "observations",
                       .depth = PRODUCT_DEPTH,
                       .percent = 20,
                       .says_true = true},
                      {.percent = 58, .says_true = true},
                      SAMPLES},
    [NO_DATA_RACE] = {{.percent = 50, .says_true = true},
                      {.goal = "races", .percent = 40, .says_true = true},
                      SAMPLES},
    [VALID_MEMSAFETY] = {{.percent = 65, .says_true = true}, SAMPLES},
};

/* ---- verdict ---- */

typedef enum answer { ANSWER_UNKNOWN, ANSWER_TRUE, ANSWER_FALSE } answer;

/* The answer of a session, and the part of the property that does not hold. */
typedef struct verdict {
    answer is;
    const char *part;
    td_text why;     /* unknown: the gaps */
    td_text session; /* false: the directory of the session */
    char finding[32];
    bool is_stopped; /* a finding outside the property ended the session */
    bool is_covered; /* completely, and no violation was found */
} verdict;

/* The part of the property that a finding violates; NULL: none. */
static const char *violated(const task *t, const det_finding *f)
{
    bool is_address = f->kind == DET_MEMORY ||
                      (f->kind == DET_CRASH && strstr(f->message, "SIGSEGV") != NULL);
    if (t->kind == NO_DATA_RACE)
        return f->kind == DET_RACE ? "no-data-race" : NULL;
    if (t->kind == UNREACH_CALL)
        return f->kind == DET_ASSERT &&
                       (strstr(f->message, "'reach_error is not reached'") ||
                        strstr(f->message, "'__VERIFIER_error is not reached'"))
                   ? "unreach-call"
                   : NULL;
    if (f->kind == DET_LEAK)
        return "valid-memtrack";
    if (!is_address)
        return NULL;
    return strncmp(f->message, "free", 4) == 0 || strncmp(f->message, "realloc", 7) == 0
               ? "valid-free"
               : "valid-deref";
}

/* True if the program itself ends or blocks forever at such a finding. */
static bool is_an_end(det_kind kind)
{
    return kind == DET_ASSERT || kind == DET_ABORT || kind == DET_DEADLOCK ||
           kind == DET_LIVELOCK || kind == DET_RACE || kind == DET_LEAK;
}

/* The answer is "true" if the goal covers the property, everything was covered, and no run entered code
 * about which nothing is known. */
static void judge(const task *t, const plan_row *row, const ses_result *r, verdict *v)
{
    TD_ASSERT(t->kind < N_PROPERTIES);
    bool all_ends = true;
    v->is = ANSWER_UNKNOWN;
    for (size_t i = 0; i < r->findings.len; i++) {
        const det_finding *f = &r->findings.at[i];
        const char *part = violated(t, f);
        if (part) {
            v->is = ANSWER_FALSE;
            v->part = part;
            memcpy(v->finding, f->id, sizeof v->finding);
            return;
        }
        all_ends &= is_an_end(f->kind);
        if (!is_an_end(f->kind))
            td_text_add(&v->why, "%s%s", v->why.len ? "; " : "", f->message);
    }
    v->is_stopped = r->findings.len > 0;
    v->is_covered = !r->stopped && all_ends && row->says_true;
    if (r->stopped)
        td_text_add(&v->why, "%s%s", v->why.len ? "; " : "", r->stopped);
    else if (t->kind == VALID_MEMSAFETY)
        td_text_add(&v->why, "overflows of variables are not detected");
    else if (v->is_covered)
        v->is = ANSWER_TRUE;
}

/* ---- sessions ---- */

/* Suppresses findings that do not violate the property: races and deadlocks. */
static td_status write_suppressions(const task *t, td_text *path, td_diag *diag)
{
    static const char all[] = "deadlock:*\nrace:*\n", deadlocks[] = "deadlock:*\n";
    bool is_race = t->kind == NO_DATA_RACE;
    td_text_add(path, "%s/suppressions", t->dir);
    return td_file_replace(path->at, is_race ? deadlocks : all,
                           is_race ? sizeof deadlocks - 1 : sizeof all - 1, diag);
}

/* Memory is out: nothing is tidied up. */
static void exit_with(rep_verdict ignored)
{
    (void)ignored;
    puts("VERDICT: unknown (out of memory)");
    fflush(stdout);
    _exit(CLI_EXIT_INCOMPLETE);
}

static td_status session(task *t, const plan_row *row, uint64_t ms, bool keep_going,
                         verdict *v, td_diag *diag)
{
    char *argv[] = {t->program.at, NULL};
    td_text suppressions = {0};
    FILE *null = fopen("/dev/null", "w");
    ses_result result = {0};
    td_text_clear(&v->session);
    td_text_clear(&v->why);
    td_text_add(&v->session, "%s/session.%u", t->dir, ++t->n_sessions);
    ses_opts opts = {.version = TREADLE_VERSION,
                     .argv = argv,
                     .goal = row->goal,
                     .search = row->search,
                     .depth = row->depth,
                     .model = "sc",
                     .keep_going = keep_going,
                     .stop_at_first = true,
                     .time_ms = ms,
                     .runs = row->search ? UINT64_MAX / 2 : 0,
                     .explain_ms = EXPLAIN_MS,
                     .leaks = t->with_leaks,
                     .ignores_exit = true,
                     .heap_limit = UINT64_C(1) << 30,
                     .seed = 1,
                     .out_dir = v->session.at,
                     .no_known = true,
                     .quiet = true,
                     .exits = exit_with,
                     .out = null,
                     .err = null};
    td_status status = null ? write_suppressions(t, &suppressions, diag)
                            : td_diag_errno(diag, TD_E_SYSTEM, "/dev/null");
    opts.suppressions = suppressions.at;
    if (status == TD_OK)
        status = ses_run(&opts, &ses_exec_run, &result, diag);
    if (status == TD_OK)
        judge(t, row, &result, v);
    ses_result_fini(&result);
    td_text_fini(&suppressions);
    if (null)
        fclose(null);
    return status;
}

/* Executes one row of the plan, with a second session if a finding outside the property stopped the first. */
static td_status follow(task *t, const plan_row *row, verdict *v, td_diag *diag)
{
    uint64_t now = td_now_ms(), left = t->end_ms > now ? t->end_ms - now : 0;
    uint64_t ms = left * row->percent / 100 + 1;
    TD_TRY(session(t, row, ms, false, v, diag));
    if (v->is == ANSWER_UNKNOWN && v->is_stopped)
        TD_TRY(session(t, row, ms, true, v, diag));
    return TD_OK;
}

/* A leak counts only where everything else was covered: a task violates one part of its property at most, and lost
 * memory may be what another part leads to. */
static td_status decide(task *t, verdict *v, td_diag *diag)
{
    const plan_row *plan = plans[t->kind];
    TD_ASSERT(plan[0].says_true); /* otherwise nothing could be */
    td_text why = {0};
    td_status status = TD_OK;
    for (size_t i = 0; i < MAX_ROWS && plan[i].percent > 0 && status == TD_OK &&
                       v->is == ANSWER_UNKNOWN && !v->is_covered;
         i++) {
        if (i > 0 && td_now_ms() >= t->end_ms)
            break;
        status = follow(t, &plan[i], v, diag);
        if (status == TD_OK && t->kind == VALID_MEMSAFETY && v->is_covered) {
            t->with_leaks = true;
            status = follow(t, &plan[i], v, diag);
        }
        if (plan[i].says_true) { /* gaps of sampling runs need no mention */
            td_text_clear(&why);
            td_text_add(&why, "%s", v->why.at ? v->why.at : "");
        }
    }
    td_text_clear(&v->why);
    td_text_add(&v->why, "%s", why.at ? why.at : "");
    td_text_fini(&why);
    return status;
}

/* ---- witnesses of others ---- */

/* Only what a run shows again is confirmed; else nothing is known of the task. */
static td_status validate(const svcomp_fields *f, const task *t, verdict *v,
                          td_diag *diag)
{
    td_text text = {0};
    cli_witness w = {0};
    cli_followed seen = {0};
    cli_violation what = t->kind == NO_DATA_RACE ? CLI_VIOLATES_RACE : CLI_VIOLATES_CALL;
    td_status status = TD_OK;
    if (t->kind == VALID_MEMSAFETY)
        status = td_diag_set(diag, TD_E_USAGE,
                             "witnesses of valid-memsafety are not followed");
    if (status == TD_OK)
        status = td_file_read(f->validate, MAX_TASK, &text, diag);
    if (status == TD_OK)
        status = cli_witness_parse(text.at ? text.at : "", text.len, &w, diag);
    if (status == TD_OK)
        status = cli_witness_follow(t->program.at, &w, what, &seen, diag);
    if (status == TD_OK)
        printf("witness: %s; %u of %u waypoints passed, %u runs\n",
               seen.is_confirmed ? "confirmed" : "not confirmed", seen.n_passed,
               seen.n_waypoints, seen.n_runs);
    v->is = seen.is_confirmed ? ANSWER_FALSE : ANSWER_UNKNOWN;
    v->part = what == CLI_VIOLATES_RACE ? "no-data-race" : "unreach-call";
    td_text_add(&v->why, "the witness was not confirmed");
    cli_witness_fini(&w);
    td_text_fini(&text);
    return status;
}

/* ---- command ---- */

static td_status write_witness(const svcomp_fields *f, const task *t, const verdict *v,
                               td_diag *diag)
{
    rep_past past;
    td_text text = {0};
    const char *model = t->is_ilp32 ? "ILP32" : "LP64";
    if (!f->witness || v->is != ANSWER_FALSE)
        return TD_OK;
    TD_TRY(cli_past_read(v->session.at, v->finding, &past, diag));
    rep_fact_vec_push(&past.facts,
                      (rep_fact){td_strdup("specification"), td_strdup(t->formula.at)});
    rep_fact_vec_push(&past.facts, (rep_fact){td_strdup("data_model"), td_strdup(model)});
    td_status status = cli_past_witness(&past, &text, diag);
    if (status == TD_OK)
        status = td_file_write(f->witness, text.at, text.len, diag);
    rep_past_fini(&past);
    td_text_fini(&text);
    return status;
}

static int print_verdict(const verdict *v)
{
    TD_ASSERT(v->is != ANSWER_FALSE || v->part != NULL);
    if (v->is == ANSWER_TRUE)
        puts("VERDICT: true");
    else if (v->is == ANSWER_FALSE)
        printf("VERDICT: false(%s)\n", v->part);
    else
        printf("VERDICT: unknown (%s)\n", v->why.at ? v->why.at : "");
    return v->is == ANSWER_TRUE    ? CLI_EXIT_COMPLETE
           : v->is == ANSWER_FALSE ? CLI_EXIT_FOUND
                                   : CLI_EXIT_INCOMPLETE;
}

/* The answer is "unknown" for tasks that cannot be compiled or run; a wrong path is a usage error. */
static int run_task(const svcomp_fields *f, task *t)
{
    verdict v = {0};
    td_diag diag = {0};
    td_status status = sto_dir_create(f->out, "svcomp", &t->dir, &diag);
    if (status != TD_OK || access(t->source.at, R_OK) != 0)
        return cli_fail(CLI_EXIT_USAGE, "svcomp: %s",
                        status != TD_OK ? diag.text : "the source cannot be read");
    status = compile(t, &diag);
    if (status == TD_OK)
        status = f->validate ? validate(f, t, &v, &diag) : decide(t, &v, &diag);
    if (status == TD_OK && !f->validate)
        status = write_witness(f, t, &v, &diag);
    if (status != TD_OK) {
        v.is = v.is == ANSWER_FALSE ? v.is : ANSWER_UNKNOWN;
        td_text_clear(&v.why);
        td_text_add(&v.why, "%s", diag.text);
    }
    int code = print_verdict(&v);
    td_text_fini(&v.why);
    td_text_fini(&v.session);
    return code;
}

static int svcomp_main(const cli_command *self, int argc, char **argv)
{
    svcomp_fields f = {0};
    cli_words words = {argc - 1, argv + 1};
    td_diag diag = {0};
    task t = {0};
    int code = cli_command_parse(self, &words, &f);
    if (code >= 0)
        return code;
    if (words.n != 1 || !f.property)
        return cli_fail(CLI_EXIT_USAGE, "svcomp requires a property and a task: "
                                        "treadle svcomp --property=FILE TASK");
    t.end_ms = td_now_ms() + (f.time ? f.time : DEFAULT_MS);
    if (read_task(&f, words.at[0], &t, &diag) != TD_OK)
        code = cli_fail(CLI_EXIT_USAGE, "svcomp: %s", diag.text);
    else
        code = run_task(&f, &t);
    task_fini(&t);
    return code;
}

const cli_command cli_svcomp = {
    .name = "svcomp",
    .words = "[OPTIONS] --property=FILE TASK",
    .text = "decide a task of SV-COMP (software verification)",
    .table = svcomp_table,
    .order = CLI_OPTIONS_ANYWHERE,
    .exits = "  0   true\n"
             "  1   false\n"
             "  2   usage error\n"
             "  3   unknown\n"
             "  70  internal error\n",
    .main = svcomp_main,
};
