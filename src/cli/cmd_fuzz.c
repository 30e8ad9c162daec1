/* SPDX-License-Identifier: Apache-2.0 */
/* treadle fuzz: explores the schedules of a fuzz target for one input after the other. An input whose
 * session had new events is kept and mutated further: events distinguish orders of threads, and are stable
 * across runs. */
#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/assert.h"
#include "base/now.h"
#include "base/rng.h"
#include "base/vec.h"
#include "cli/child.h"
#include "store/store.h"

#define MOST_BYTES 65536u /* bytes, as treadle_fuzz.h */
#define MAX_SEEDS 4096u
#define DEFAULT_TIME_MS 60000u
#define DEFAULT_EACH_MS 2000u
/* Times --each, for an input whose session ended before a finding was replayed. */
#define MORE_TIME 16u

#define FUZZ_OPTIONS(X)                                                                  \
    X(time, "time", 0, DURATION, 0, 0, 0, "DURATION",                                    \
      "stop after DURATION (default: 60s)")                                              \
    X(each, "each", 0, DURATION, 0, 0, 0, "DURATION",                                    \
      "time limit per input (default: 2s)")                                              \
    X(runs, "runs", 0, NUMBER, 1, UINT64_MAX, 0, "N",                                    \
      "run limit per input; replaces the default of --each")                             \
    X(inputs, "inputs", 0, NUMBER, 1, UINT32_MAX, 0, "N", "stop after N inputs")         \
    X(suppressions, "suppressions", 0, TEXT, 0, 0, 0, "FILE",                            \
      "suppress findings in FILE (ThreadSanitizer syntax)")                              \
    X(sym_bytes, "sym-bytes", 0, NUMBER, 1, 4096, 0, "N",                                \
      "first explore every input of N bytes, symbolically")                              \
    X(keep_going, "keep-going", 'k', FLAG, 0, 0, 0, "", "do not stop at the first bug")  \
    X(seed, "seed", 0, NUMBER, 0, UINT64_MAX, 1, "N", "random seed (default: 1)")        \
    X(out, "out", 0, TEXT, 0, 0, 0, "DIR",                                               \
      "inputs and sessions (default: treadle-out/NAME.N)")

typedef struct fuzz_fields {
    FUZZ_OPTIONS(CLI_DECLARE_FIELD)
} fuzz_fields;

#define X(...) CLI_TABLE_ROW(fuzz_fields, __VA_ARGS__)
static const cli_option fuzz_table[] = {FUZZ_OPTIONS(X){0}};
#undef X

typedef struct input {
    char *bytes;
    size_t n;
} input;

TD_VEC(input, input_vec);
TD_VEC(char *, text_vec);

typedef struct fuzzer {
    const fuzz_fields *f;
    char *target;
    char *dir;
    input_vec corpus; /* worth changing */
    text_vec digests; /* digests of the sessions so far */
    uint64_t end_ms;
    uint64_t n_inputs, n_runs, n_findings;
    uint64_t n_complete; /* sessions that covered every schedule of their input */
    uint64_t n_again;    /* inputs with a second session */
    td_rng rng;
} fuzzer;

/* ---- inputs ---- */

static void corpus_add(fuzzer *z, const char *bytes, size_t n)
{
    TD_ASSERT(n <= MOST_BYTES);
    input copy = {.bytes = td_alloc(n + 1), .n = n};
    memcpy(copy.bytes, bytes ? bytes : "", n);
    input_vec_push(&z->corpus, copy);
}

static td_status read_seed(fuzzer *z, const char *path, td_diag *diag)
{
    td_text text = {0};
    td_status status = td_file_read(path, MOST_BYTES, &text, diag);
    if (status == TD_OK)
        corpus_add(z, text.at, text.len);
    td_text_fini(&text);
    return status;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* A file, or all files of a folder in the order of their names. */
static td_status read_seeds(fuzzer *z, const char *path, td_diag *diag)
{
    struct dirent **names = NULL;
    int n = scandir(path, &names, NULL, by_name);
    td_status status = TD_OK;
    if (n < 0)
        return read_seed(z, path, diag);
    for (int i = 0; i < n; i++) {
        td_text file = {0};
        struct stat st;
        td_text_add(&file, "%s/%s", path, names[i]->d_name);
        if (status == TD_OK && z->corpus.len < MAX_SEEDS && stat(file.at, &st) == 0 &&
            S_ISREG(st.st_mode))
            status = read_seed(z, file.at, diag);
        td_text_fini(&file);
        free(names[i]);
    }
    free(names);
    return status;
}

/* Applies one small mutation to n bytes; the buffer has space for one more. */
static size_t change(fuzzer *z, char *bytes, size_t n)
{
    size_t at = n > 0 ? td_rng_below(&z->rng, n) : 0;
    switch (td_rng_below(&z->rng, 5)) {
    case 0:
        if (n > 0)
            bytes[at] ^= (char)(1u << td_rng_below(&z->rng, 8));
        return n;
    case 1:
        if (n > 0)
            bytes[at] = (char)td_rng_below(&z->rng, 256);
        return n;
    case 2: /* one more */
        memmove(bytes + at + 1, bytes + at, n - at);
        bytes[at] = (char)td_rng_below(&z->rng, 256);
        return n + 1;
    case 3: /* one less */
        if (n == 0)
            return 0;
        memmove(bytes + at, bytes + at + 1, n - at - 1);
        return n - 1;
    default: /* small numbers decide more often */
        if (n > 0)
            bytes[at] = (char)((unsigned char)bytes[at] + 1 + td_rng_below(&z->rng, 3));
        return n;
    }
}

static input next_input(fuzzer *z)
{
    TD_ASSERT(z->corpus.len > 0);
    const input *from = &z->corpus.at[td_rng_below(&z->rng, z->corpus.len)];
    uint32_t n_changes = 1 + (uint32_t)td_rng_below(&z->rng, 4);
    input made = {.bytes = td_alloc(from->n + n_changes + 1), .n = from->n};
    memcpy(made.bytes, from->bytes, from->n);
    for (uint32_t i = 0; i < n_changes && made.n < MOST_BYTES; i++)
        made.n = change(z, made.bytes, made.n);
    return made;
}

/* ---- sessions ---- */

static bool is_new(fuzzer *z, const char *digest)
{
    for (size_t i = 0; i < z->digests.len; i++)
        if (strcmp(z->digests.at[i], digest) == 0)
            return false;
    text_vec_push(&z->digests, td_strdup(digest));
    return true;
}

/* The outcome of a session. */
typedef struct outcome {
    int code;
    bool fresh;  /* its events are new */
    bool unsure; /* it ended before a suspected failure was replayed */
} outcome;

static void take_session(fuzzer *z, const char *session, outcome *o)
{
    TD_ASSERT(z->n_inputs > 0);
    rep_past past;
    td_diag diag = {0};
    if (cli_past_read(session, NULL, &past, &diag) != TD_OK)
        return;
    z->n_runs += rep_past_number(&past, "runs");
    z->n_findings += past.pages.len;
    rep_verdict v = rep_past_verdict(&past);
    if (v == REP_VERDICT_COMPLETE)
        z->n_complete++;
    o->unsure = v == REP_VERDICT_SUSPECTED;
    o->fresh = is_new(z, rep_past_fact(&past, "digest"));
    for (size_t i = 0; i < past.ledger.gaps.len; i++)
        if (strcmp(past.ledger.gaps.at[i].kind, "not reproduced") == 0)
            o->unsure = true;
    rep_past_fini(&past);
}

static void print_file(const char *path)
{
    td_text text = {0};
    td_diag diag = {0};
    if (td_file_read(path, 64u << 20, &text, &diag) == TD_OK && text.len > 0)
        fwrite(text.at, 1, text.len, stdout);
    td_text_fini(&text);
}

/* Returns the milliseconds for a session, times a factor, within the remaining time. */
static uint64_t time_of_session(const fuzzer *z, uint64_t factor)
{
    uint64_t now = td_now_ms(), left = z->end_ms > now ? z->end_ms - now : 1;
    uint64_t each = z->f->each ? z->f->each : z->f->runs ? left : DEFAULT_EACH_MS;
    return each < left / factor ? each * factor : left;
}

/* Runs `treadle run` on the target with one more argument; mark distinguishes the sessions of one input. */
static outcome explore(fuzzer *z, char *option, char *argument, uint64_t ms,
                       const char *mark)
{
    td_text session = {0}, log = {0}, out = {0}, time = {0}, runs = {0}, known = {0};
    text_vec words = {0};
    static char run[] = "run", quiet[] = "-q", no_known[] = "--no-known", end[] = "--",
                trust[] = "--trust-libraries", first[] = "--first";
    td_text_add(&session, "%s/session.%" PRIu64 "%s", z->dir, z->n_inputs - 1, mark);
    td_text_add(&log, "%s.txt", session.at);
    td_text_add(&out, "--out=%s", session.at);
    td_text_add(&time, "--time=%" PRIu64 "ms", ms);
    td_text_add(&runs, "--runs=%" PRIu64, z->f->runs);
    td_text_add(&known, "--suppressions=%s", z->f->suppressions);
    char *const all[] = {run, quiet, no_known, trust, time.at, out.at};
    text_vec_append(&words, all, sizeof all / sizeof all[0]);
    if (z->f->runs)
        text_vec_push(&words, runs.at);
    if (z->f->suppressions)
        text_vec_push(&words, known.at);
    if (z->f->keep_going) /* the time of all is for other inputs */
        text_vec_push(&words, first);
    if (option)
        text_vec_push(&words, option);
    text_vec_push(&words, end);
    text_vec_push(&words, z->target);
    if (argument)
        text_vec_push(&words, argument);
    text_vec_push(&words, NULL);
    outcome o = {.code = cli_child(words.at, log.at)};
    take_session(z, session.at, &o);
    if (o.code == CLI_EXIT_FOUND || o.code == CLI_EXIT_USAGE ||
        o.code == CLI_EXIT_INTERNAL)
        print_file(log.at);
    text_vec_fini(&words);
    td_text_fini(&session);
    td_text_fini(&log);
    td_text_fini(&out);
    td_text_fini(&time);
    td_text_fini(&runs);
    td_text_fini(&known);
    return o;
}

/* The next input. A suspicion that a session had no time for gets another one with more. */
static outcome explore_well(fuzzer *z, char *option, char *argument)
{
    z->n_inputs++;
    outcome o = explore(z, option, argument, time_of_session(z, 1), "");
    if (o.code != CLI_EXIT_INCOMPLETE || !o.unsure)
        return o;
    z->n_again++;
    outcome again = explore(z, option, argument, time_of_session(z, MORE_TIME), ".again");
    again.fresh |= o.fresh;
    return again;
}

/* The input becomes a file, which a recording names. */
static int explore_input(fuzzer *z, const input *in, bool is_seed)
{
    td_text path = {0};
    td_diag diag = {0};
    td_text_add(&path, "%s/input.%" PRIu64, z->dir, z->n_inputs);
    if (td_file_replace(path.at, in->bytes, in->n, &diag) != TD_OK) {
        td_text_fini(&path);
        return cli_fail(CLI_EXIT_USAGE, "fuzz: %s", diag.text);
    }
    outcome o = explore_well(z, NULL, path.at);
    if (o.fresh && !is_seed && z->corpus.len < MAX_SEEDS)
        corpus_add(z, in->bytes, in->n);
    td_text_fini(&path);
    return o.code;
}

/* ---- command ---- */

static bool is_over(const fuzzer *z, int code)
{
    return code == CLI_EXIT_USAGE || code == CLI_EXIT_INTERNAL ||
           code > CLI_EXIT_INTERNAL || (code == CLI_EXIT_FOUND && !z->f->keep_going) ||
           (z->f->inputs && z->n_inputs >= z->f->inputs) || td_now_ms() >= z->end_ms;
}

static int fuzz(fuzzer *z)
{
    TD_ASSERT(z->corpus.len > 0 && z->dir != NULL);
    int code = CLI_EXIT_INCOMPLETE;
    size_t n_seeds = z->corpus.len;
    if (z->f->sym_bytes) {
        td_text option = {0};
        td_text_add(&option, "--sym-stdin=%" PRIu64, z->f->sym_bytes);
        code = explore_well(z, option.at, NULL).code;
        td_text_fini(&option);
    }
    for (size_t i = 0; i < n_seeds && !is_over(z, code); i++)
        code = explore_input(z, &z->corpus.at[i], true);
    while (!is_over(z, code)) {
        input in = next_input(z);
        code = explore_input(z, &in, false);
        td_free(in.bytes);
    }
    if (code == CLI_EXIT_USAGE || code >= CLI_EXIT_INTERNAL)
        return code;
    printf("treadle: fuzz: %" PRIu64 " inputs, %" PRIu64
           " runs, %zu inputs with events that no other has, "
           "%" PRIu64 " findings in %s\n",
           z->n_inputs, z->n_runs, z->digests.len, z->n_findings, z->dir);
    printf("treadle: fuzz: all schedules of %" PRIu64 " inputs were covered; %" PRIu64
           " were explored again with a higher limit\n",
           z->n_complete, z->n_again);
    return z->n_findings > 0 ? CLI_EXIT_FOUND : CLI_EXIT_INCOMPLETE;
}

static void fuzzer_fini(fuzzer *z)
{
    for (size_t i = 0; i < z->corpus.len; i++)
        td_free(z->corpus.at[i].bytes);
    for (size_t i = 0; i < z->digests.len; i++)
        td_free(z->digests.at[i]);
    input_vec_fini(&z->corpus);
    text_vec_fini(&z->digests);
    td_free(z->dir);
}

static int fuzz_main(const cli_command *self, int argc, char **argv)
{
    fuzz_fields f = {0};
    cli_words words = {argc - 1, argv + 1};
    td_diag diag = {0};
    int code = cli_command_parse(self, &words, &f);
    if (code >= 0)
        return code;
    if (words.n == 0)
        return cli_fail(CLI_EXIT_USAGE, "fuzz requires a program: treadle fuzz %s",
                        self->words);
    fuzzer z = {.f = &f,
                .target = words.at[0],
                .end_ms = td_now_ms() + (f.time ? f.time : DEFAULT_TIME_MS)};
    z.rng.state = f.seed;
    td_status status = sto_dir_create(f.out, "fuzz", &z.dir, &diag);
    for (int i = 1; i < words.n && status == TD_OK; i++)
        status = read_seeds(&z, words.at[i], &diag);
    if (status == TD_OK && z.corpus.len == 0)
        corpus_add(&z, NULL, 0);
    code = status == TD_OK ? fuzz(&z) : cli_fail(CLI_EXIT_USAGE, "fuzz: %s", diag.text);
    fuzzer_fini(&z);
    return code;
}

const cli_command cli_fuzz = {
    .name = "fuzz",
    .words = "[OPTIONS] TARGET [CORPUS...]",
    .text = "explore the schedules of a fuzz target, input by input",
    .table = fuzz_table,
    .order = CLI_OPTIONS_FIRST,
    .main = fuzz_main,
    .exits = "  1   bug found\n"
             "  2   usage error, or the program cannot be run\n"
             "  3   no bug found; there are always more inputs\n"
             "  70  internal error\n",
};
