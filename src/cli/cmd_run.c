/* SPDX-License-Identifier: Apache-2.0 */
/* treadle run. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "explore/core/explore.h"
#include "campaign/campaign.h"
#include "campaign/worker_process.h"
#include "session/session.h"
#include "store/store.h"
#include "store/exchange/exchange.h"

#define NO_BOUND UINT64_MAX

#define RUN_OPTIONS(X)                                                                   \
    X(search, "search", 0, TEXT, 0, 0, 0, "NAME", "search strategy, see below")          \
    X(goal, "goal", 0, TEXT, 0, 0, 0, "GOAL",                                            \
      "coverage goal, see below (default: states)")                                      \
    X(model, "model", 0, TEXT, 0, 0, 0, "MODEL",                                         \
      "only this memory model: sc, tso, rc11")                                           \
    X(keep_going, "keep-going", 'k', FLAG, 0, 0, 0, "", "do not stop at the first bug")  \
    X(first, "first", 0, FLAG, 0, 0, 0, "",                                              \
      "stop at the first bug, also if it is a data race")                                \
    X(suppressions, "suppressions", 0, TEXT, 0, 0, 0, "FILE",                            \
      "suppress findings in FILE (ThreadSanitizer syntax)")                              \
    X(trust, "trust", 0, LIST, 0, 0, 0, "NAME,...",                                      \
      "trust these uninstrumented functions")                                            \
    X(trust_libraries, "trust-libraries", 0, FLAG, 0, 0, 0, "",                          \
      "trust all functions of shared libraries")                                         \
    X(exit_code, "exit-code", 0, WORD, 0, 0, 0, "report|ignore",                         \
      "a non-zero exit status is a bug, or not (default: report)")                       \
    X(coverage, "coverage", 0, FLAG, 0, 0, 0, "",                                        \
      "measure coverage in every run, not in a sample")                                  \
    X(census, "census", 0, FLAG, 0, 0, 0, "",                                            \
      "count events, traces and pairs (searches that sample)")                           \
    X(leaks, "leaks", 0, FLAG, 0, 0, 0, "", "report leaked memory at exit")              \
    X(runs, "runs", 0, NUMBER, 1, UINT64_MAX, 0, "N", "stop after N runs")               \
    X(time, "time", 0, DURATION, 0, 0, 0, "DURATION",                                    \
      "stop after DURATION: 500ms, 10s, 5m")                                             \
    X(depth, "depth", 0, NUMBER, 1, UINT32_MAX, 0, "N",                                  \
      "end a run after N operations (default: 100000)")                                  \
    X(preemptions, "preemptions", 0, NUMBER, 0, UINT32_MAX - 1, NO_BOUND, "N",           \
      "bound preemptions to N, fewest first: 0, 1, ... N")                               \
    X(iterate, "iterate", 0, FLAG, 0, 0, 0, "",                                          \
      "fewest preemptions first, unbounded: 0, 1, ...")                                  \
    X(interferences, "interferences", 0, NUMBER, 0, 100, 100, "N",                       \
      "interferences per candidate (search interfere)")                                  \
    X(interfere_off, "interfere-off", 0, WORDS, 0, 0, 0,                                 \
      "cores|priorities|duplicates|lazy", NULL)                                          \
    X(pct_depth, "pct-depth", 0, NUMBER, 1, 64, 0, "N",                                  \
      "bug depth for search pct (default: 3)")                                           \
    X(tail, "tail", 0, CHOICE, 0, 0, 0, "auto|first|random|pos|surw",                    \
      "how runs of unfold end once their target is reached")                             \
    X(seed, "seed", 0, NUMBER, 0, UINT64_MAX, 1, "N", "random seed (default: 1)")        \
    X(timeout, "timeout", 0, DURATION, 0, 0, 0, "DURATION",                              \
      "no operation for DURATION is a hang (default: 2s)")                               \
    X(memory, "memory", 0, NUMBER, 1, 1u << 20, 1024, "MIB",                             \
      "allocation limit per run (default: 1024)")                                        \
    X(own_memory, "own-memory", 0, SIZE, 0, 0, 0, "SIZE",                                \
      "memory limit of treadle itself (default: 3/4)")                                   \
    X(solver_time, "solver-time", 0, DURATION, 0, 0, 0, "DURATION",                      \
      "time limit per solver query (default: 2s)")                                       \
    X(explain_time, "explain-time", 0, DURATION, 0, 0, 0, "DURATION",                    \
      "time limit to explain a finding (default: 10s)")                                  \
    X(jobs, "jobs", 'j', NUMBER, 1, 1024, 0, "N",                                        \
      "number of workers (default: one per processor)")                                  \
    X(sym_arg, "sym-arg", 0, LIST, 0, 0, 0, "I[:TYPE]",                                  \
      "make argument I symbolic: int, i8..u64, str:N")                                   \
    X(sym_stdin, "sym-stdin", 0, NUMBER, 1, 4096, 0, "BYTES",                            \
      "provide BYTES symbolic bytes on standard input")                                  \
    X(spurious, "spurious", 0, NUMBER, 0, 1000, NO_BOUND, "N",                           \
      "allow up to N spurious wakeups per thread")                                       \
    X(reuse, "reuse", 0, FLAG, 0, 0, 0, "",                                              \
      "let threads reuse memory that others freed")                                      \
    X(every_round, "every-round", 0, FLAG, 0, 0, 0, "", NULL)                            \
    X(keep_files, "keep-files", 0, FLAG, 0, 0, 0, "",                                    \
      "do not undo changes to files between runs; one worker")                           \
    X(output, "output", 0, TEXT, 0, 0, 0, "FILE",                                        \
      "append the program's output to FILE (default: discarded)")                        \
    X(out, "out", 0, TEXT, 0, 0, 0, "DIR",                                               \
      "session directory (default: treadle-out/NAME.N)")                                 \
    X(json, "json", 0, TEXT, 0, 0, 0, "FILE", "write the result as JSON")                \
    X(keep_runs, "keep-runs", 0, FLAG, 0, 0, 0, "",                                      \
      "record runs that cover something new, in DIR/corpus")                             \
    X(certificate, "certificate", 0, TEXT, 0, 0, 0, "FILE",                              \
      "write all traces to FILE for treadle-check; one worker")                          \
    X(no_known, "no-known", 0, FLAG, 0, 0, 0, "",                                        \
      "do not replay the previous session's bugs")                                       \
    X(quiet, "quiet", 'q', FLAG, 0, 0, 0, "", "do not show progress")                    \
    X(status, "status", 0, FLAG, 0, 0, 0, "", "full-screen status display")              \
    X(aslr, "aslr", 0, FLAG, 0, 0, 0, "", NULL)                                          \
    X(restart, "restart", 0, CHOICE, 0, 0, 0, "snapshot|fork", NULL)                     \
    X(carrier, "carrier", 0, CHOICE, 0, 0, 0, "fibers|threads", NULL)                    \
    X(repeat, "repeat", 0, NUMBER, 1, 1000000, 0, "N", NULL)                             \
    X(resume, "resume", 0, FLAG, 0, 0, 0, "",                                            \
      "resume the previous session, or the one in --out")                                \
    X(alone, "alone", 0, DURATION, 0, 0, 0, "DURATION", NULL)                            \
    X(farm, "farm", 0, TEXT, 0, 0, 0, "ADDRESS",                                         \
      "share the search with machines through PostgreSQL")                               \
    X(trust_members, "trust-members", 0, FLAG, 0, 0, 0, "",                              \
      "with --farm: accept parts that could not be repeated")                            \
    X(join, "join", 0, TEXT, 0, 0, 0, "WHERE", NULL)                                     \
    X(campaign, "campaign", 0, NUMBER, 0, INT64_MAX, 0, "N", NULL)                       \
    X(worker, "worker", 0, NUMBER, 0, UINT64_MAX, 0, "N", NULL)

typedef struct run_fields {
    RUN_OPTIONS(CLI_DECLARE_FIELD)
} run_fields;

#define X(...) CLI_TABLE_ROW(run_fields, __VA_ARGS__)
static const cli_option run_table[] = {RUN_OPTIONS(X){0}};
#undef X

/* Returns -1 if every option that affects the search can be passed to the farm, otherwise the exit status. */
static int farm_check(const run_fields *f)
{
    if (f->farm && !sto_is_farm(f->farm))
        return cli_fail(CLI_EXIT_USAGE, "run: --farm requires postgresql://..., got '%s'",
                        f->farm);
    if ((f->farm || f->join) && f->keep_files)
        return cli_fail(
            CLI_EXIT_USAGE,
            "run: --keep-files cannot be used with --farm: workers would share files");
    if (f->farm && f->suppressions)
        return cli_fail(CLI_EXIT_USAGE, "run: --suppressions cannot be used with --farm: "
                                        "workers do not have the file");
    return -1;
}

/* -1 when one session has all runs, else the exit code. */
static int certificate_check(const run_fields *f)
{
    if (f->certificate && (f->jobs > 1 || f->farm || f->join || f->resume))
        return cli_fail(CLI_EXIT_USAGE,
                        "run: --certificate requires one worker and a new "
                        "session: no --jobs, --farm, --resume");
    return -1;
}

/* -1 when the goal is fine, else the exit code. */
static int goal_check(const char *goal)
{
    if (!goal || xpl_goal_find(goal))
        return -1;
    td_text names = {0};
    for (const xpl_goal *g = xpl_goals(); g->name; g++)
        td_text_add(&names, "%s%s", names.len ? "|" : "", g->name);
    int code =
        cli_fail(CLI_EXIT_USAGE, "run: --goal requires %s, got '%s'", names.at, goal);
    td_text_fini(&names);
    return code;
}

/* -1 when the program's output has a place to go, else the exit code. */
static int output_check(const char *output)
{
    int fd = output ? open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : 0;
    if (fd < 0)
        return cli_fail(CLI_EXIT_USAGE, "run: --output: %s: %s", output, strerror(errno));
    if (output)
        close(fd);
    return -1;
}

static int first_check(const run_fields *f)
{
    if (f->first && f->keep_going)
        return cli_fail(CLI_EXIT_USAGE, "run: --first cannot be used with --keep-going");
    return -1;
}

static int model_check(const char *model)
{
    if (!model || xpl_is_model(model))
        return -1;
    return cli_fail(CLI_EXIT_USAGE, "run: --model requires sc|tso|rc11, got '%s'", model);
}

/* Lists the options that workers need: all that affect what is explored. */
static void explore_words(const run_fields *f, td_text *out)
{
    static const char *const others[] = {
        "out",    "json",          "keep-runs",   "no-known",   "quiet",
        "status", "jobs",          "time",        "own-memory", "resume",
        "join",   "worker",        "alone",       "farm",       "campaign",
        "output", "trust-members", "certificate", NULL};
    cli_options_print(run_table, f, others, out);
}

/* ---- options that came from elsewhere ---- */

/* A campaign may set these, and nothing that names a file or an address. */
static const char *const of_campaigns[] = {
    "search",        "goal",        "keep-going",  "first",
    "exit-code",     "coverage",    "leaks",       "runs",
    "depth",         "preemptions", "iterate",     "interferences",
    "interfere-off", "pct-depth",   "seed",        "tail",
    "timeout",       "memory",      "solver-time", "sym-arg",
    "sym-stdin",     "spurious",    "reuse",       "every-round",
    "census",        "aslr",        "restart",     "carrier",
    "repeat",        "trust",       "model",       "trust-libraries",
    "explain-time",  NULL};

TD_VEC(char *, word_vec);

/* Each line is a word; they point into lines, which is changed. */
static void cut_lines(char *lines, word_vec *out)
{
    while (*lines) {
        char *end = lines + strcspn(lines, "\n");
        word_vec_push(out, lines);
        lines = *end ? end + 1 : end;
        *end = '\0';
    }
}

/* Parsed as by a worker; printed again they must be the same, and all of campaigns. */
static td_status campaign_words(word_vec *at, const char *text, td_diag *diag)
{
    run_fields f = {0};
    cli_help help = CLI_HELP_NONE;
    td_text again = {0}, others = {0};
    word_vec_push(at, NULL);
    cli_words words = {(int)at->len - 1, at->at};
    TD_TRY(cli_options_parse(run_table, CLI_OPTIONS_FIRST, &words, &f, &help, diag));
    explore_words(&f, &again);
    cli_options_print(run_table, &f, of_campaigns, &others);
    td_status status = TD_OK;
    if (others.len > 0)
        status = td_diag_set(diag, TD_E_USAGE, "it sets %.*s, which is not allowed",
                             (int)strcspn(others.at, "=\n"), others.at);
    else if (help || words.n > 0 || strcmp(again.at ? again.at : "", text) != 0)
        status = td_diag_set(diag, TD_E_USAGE, "they are malformed");
    td_text_fini(&again);
    td_text_fini(&others);
    return status;
}

td_status cli_run_words_check(const char *text, td_diag *diag)
{
    word_vec at = {0};
    td_diag why = {0};
    td_status status = TD_OK;
    if (strlen(text) > CLI_MAX_WORDS)
        return td_diag_set(diag, TD_E_USAGE,
                           "the options of the campaign are too long (%zu bytes)",
                           strlen(text));
    char *lines = td_strdup(text);
    cut_lines(lines, &at);
    if (campaign_words(&at, text, &why) != TD_OK)
        status = td_diag_set(diag, TD_E_USAGE, "the campaign has invalid options: %s",
                             why.text);
    word_vec_fini(&at);
    td_free(lines);
    return status;
}

/* ---- the last session again ---- */

/* Returns the arguments of an earlier session, one per line; NULL if unknown. */
static char *words_of(const char *dir, td_diag *diag)
{
    sto_past past;
    td_text latest = {0};
    td_text_add(&latest, "%s/latest", sto_out_dir());
    td_status status = sto_past_read(dir ? dir : latest.at, &past, diag);
    td_text_fini(&latest);
    if (status != TD_OK)
        return NULL;
    const char *words = sto_past_fact(&past, "words");
    char *copy = words && *words ? td_strdup(words) : NULL;
    if (!copy)
        td_diag_set(diag, TD_E_USAGE,
                    "the session has no record of the program that it ran");
    sto_past_fini(&past);
    return copy;
}

/* 'treadle run --resume' alone: options of the session, then those of this call, which win, then its program. */
static int resume_alone(const cli_command *self, const word_vec *given, cli_words *words,
                        run_fields *f)
{
    static word_vec all;
    td_diag diag = {0};
    char *lines = words_of(f->out, &diag); /* options point into it: kept to the end */
    if (!lines)
        return cli_fail(CLI_EXIT_USAGE, "run: no session to resume: %s", diag.text);
    word_vec stored = {0};
    cut_lines(lines, &stored);
    size_t i = 0;
    for (; i < stored.len && strcmp(stored.at[i], "--") != 0; i++)
        word_vec_push(&all, stored.at[i]);
    word_vec_append(&all, given->at, given->len);
    for (; i < stored.len; i++)
        word_vec_push(&all, stored.at[i]);
    word_vec_push(&all, NULL);
    word_vec_fini(&stored);
    *words = (cli_words){(int)all.len - 1, all.at};
    *f = (run_fields){0};
    return cli_command_parse(self, words, f);
}

/* ---- the session ---- */

/* Memory is out: nothing is tidied up. */
static void exit_with(rep_verdict verdict)
{
    _exit(rep_verdict_of(verdict)->status);
}

static ses_opts session_opts(const run_fields *f, char **argv)
{
    TD_ASSERT(argv[0] != NULL && f->pct_depth <= UINT32_MAX &&
              f->memory <= UINT64_MAX >> 20);
    return (ses_opts){
        .version = TREADLE_VERSION,
        .argv = argv,
        .goal = f->goal,
        .search = f->search,
        .model = f->model,
        .keep_going = f->keep_going,
        .stop_at_first = f->first,
        .suppressions = f->suppressions,
        .trust = {f->trust.at, f->trust.n, f->trust_libraries},
        .runs = f->runs,
        .time_ms = f->time,
        .depth = (uint32_t)f->depth,
        .bounded = f->preemptions != NO_BOUND,
        .preemptions = (uint32_t)f->preemptions,
        .iterate = f->iterate,
        .interferences = (uint32_t)f->interferences + 1,
        .interfere_off = (uint32_t)f->interfere_off,
        .pct_depth = (uint32_t)f->pct_depth,
        .seed = f->seed,
        .out_dir = f->out,
        .json = f->json,
        .keep_runs = f->keep_runs,
        .certificate = f->certificate,
        .no_known = f->no_known,
        .quiet = f->quiet,
        .status = f->status,
        .ignores_exit = f->exit_code == 1,
        .coverage = f->coverage,
        .census = f->census,
        .leaks = f->leaks,
        .restart = (uint32_t)f->restart,
        .carrier = (uint32_t)f->carrier,
        .tail = (uint32_t)f->tail,
        .timeout_ms = f->timeout < UINT32_MAX ? (uint32_t)f->timeout : UINT32_MAX,
        .solver_ms = f->solver_time < UINT32_MAX ? (uint32_t)f->solver_time : UINT32_MAX,
        .explain_ms =
            f->explain_time < UINT32_MAX ? (uint32_t)f->explain_time : UINT32_MAX,
        .heap_limit = f->memory << 20,
        .own_memory = f->own_memory,
        .find_fix = cli_find_fix,
        .exits = exit_with,
        .aslr = f->aslr,
        .keep_files = f->keep_files,
        .output = f->output,
        .sharing = &cam_sharing,
        .jobs = f->jobs          ? (uint32_t)f->jobs
                : f->certificate ? 1
                                 : cli_jobs(),
        .self = "treadle",
        .join = f->join,
        .worker = f->worker,
        .campaign = f->campaign,
        .farm = f->farm,
        .trust_members = f->trust_members,
        .alone_ms = f->alone,
        .resume = f->resume,
        .repeat = (uint32_t)f->repeat,
        .report = cli_report_opts(),
    };
}

static td_status given_set(const run_fields *f, ses_opts *o, td_diag *diag)
{
    TD_ASSERT(f->spurious == NO_BOUND || f->spurious < UINT32_MAX);
    o->given.stdin_bytes = (uint32_t)f->sym_stdin;
    o->given.spurious = f->spurious == NO_BOUND ? 0 : (uint32_t)f->spurious + 1;
    o->given.reuse = f->reuse;
    o->given.every_round = f->every_round;
    for (uint32_t i = 0; i < f->sym_arg.n; i++)
        TD_TRY(run_given_add(&o->given, f->sym_arg.at[i], o->argv, diag));
    return TD_OK;
}

static int run_main(const cli_command *self, int argc, char **argv)
{
    run_fields fields = {0};
    cli_words words = {argc - 1, argv + 1};
    word_vec given = {0}; /* parsing changes argv */
    word_vec_append(&given, argv + 1, (size_t)(argc - 1));
    int code = cli_command_parse(self, &words, &fields);
    if (code < 0 && words.n == 0 && fields.resume)
        code = resume_alone(self, &given, &words, &fields);
    word_vec_fini(&given);
    if (code >= 0)
        return code;
    code = goal_check(fields.goal);
    if (code < 0)
        code = model_check(fields.model);
    if (code < 0)
        code = first_check(&fields);
    if (code < 0)
        code = farm_check(&fields);
    if (code < 0)
        code = output_check(fields.output);
    if (code < 0)
        code = certificate_check(&fields);
    if (code >= 0)
        return code;
    if (words.n == 0)
        return cli_fail(CLI_EXIT_USAGE,
                        "run requires a program: treadle run [OPTIONS] [--] "
                        "PROGRAM [ARGS...]");

    ses_opts opts = session_opts(&fields, words.at);
    ses_result result = {0};
    td_diag diag = {0};
    td_text explored = {0};
    explore_words(&fields, &explored);
    opts.words = explored.at;
    td_status status = given_set(&fields, &opts, &diag);
    if (status == TD_OK)
        status = ses_run(&opts, &ses_exec_run, &result, &diag);
    code = status == TD_OK ? rep_verdict_of(result.verdict)->status
                           : cli_fail_status(status, &diag);
    if (result.findings.len > 0)
        code = CLI_EXIT_FOUND;
    if (opts.join && status == TD_OK)
        code = result.is_full ? CAM_WORKER_FULL
                              : CLI_EXIT_COMPLETE; /* the leader has the result */
    td_text_fini(&explored);
    ses_result_fini(&result);
    return code;
}

static void print_searches(FILE *to)
{
    fputs("\nThe output of the program is discarded without --output; 'treadle replay' "
          "shows the output of a finding's run.\n"
          "\nGoals, with the default search for each:\n",
          to);
    for (const xpl_goal *g = xpl_goals(); g->name; g++)
        fprintf(to, "  %-14s%-14s%s\n", g->name, g->search, g->text);
    fputs("\nSearches:\n", to);
    for (const xpl_search *const *s = xpl_searches(); *s; s++)
        fprintf(to, "  %-14s%s\n", (*s)->name, (*s)->text);
}

/* The options that most users need, for --help. */
static const char *const often[] = {
    "keep-going",  "suppressions", "trust", "trust-libraries",
    "exit-code",   "leaks",        "runs",  "time",
    "preemptions", "timeout",      "jobs",  "output",
    "out",         "json",         "quiet", NULL};

const cli_command cli_run = {
    .name = "run",
    .words = "[OPTIONS] [--] PROGRAM [ARGS...]",
    .text = "explore the schedules of a program built with 'treadle cc'",
    .table = run_table,
    .order = CLI_OPTIONS_FIRST,
    .main = run_main,
    .often = often,
    .help = print_searches,
};
