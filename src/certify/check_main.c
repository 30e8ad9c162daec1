/* SPDX-License-Identifier: Apache-2.0 */
/* treadle-check: executes the runs of a certificate and decides whether they are all runs of the program. */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "certify/certify.h"
#include "run/run.h"
#include "store/store.h"

enum { EXIT_CERTIFIED, EXIT_NOT_CERTIFIED, EXIT_CANNOT };
enum { WINDOW = 64, MAX_FILE = 1 << 30 };

static const char usage[] =
    "usage: treadle-check [OPTIONS] PROGRAM CERTIFICATE\n"
    "Checks that the runs of a certificate are all traces of a program, or reach all of "
    "its\n"
    "local states. 'treadle run --certificate=FILE' writes certificates.\n\n"
    "  --goal=traces|states   what to check (default: what the certificate is for)\n"
    "  --reorder=N            execute N runs in another order of the same trace "
    "(default: 1000)\n"
    "  --seed=N               of these orders (default: 1)\n"
    "  --missing=FILE         write the first run that is missing, for 'treadle replay'\n"
    "  --help, --version\n\n"
    "Exit status: 0 certified, 1 not certified, 2 cannot certify.\n";

typedef struct check {
    const char *goal, *missing, *program, *path;
    uint64_t n_reorder, seed;
    crt_file file;
    crt c;
    char **argv;
    run *run;
    run_opts with;
    uint64_t n_runs, n_reordered;
    td_diag diag;
} check;

static int cannot(check *k)
{
    fprintf(stderr, "treadle-check: cannot certify: %s\n", k->diag.text);
    return EXIT_CANNOT;
}

static td_status start(check *k)
{
    td_diag *diag = &k->diag;
    TD_TRY(td_file_read(k->path, MAX_FILE, &k->file.text, diag));
    TD_TRY(crt_file_parse(&k->file, diag));
    k->argv = td_alloc((k->file.args.len + 2) * sizeof *k->argv);
    k->argv[0] = (char *)k->program;
    for (size_t i = 0; i < k->file.args.len; i++)
        k->argv[i + 1] = k->file.args.at[i];
    k->with = (run_opts){.argv = k->argv,
                         .given = {.spurious = k->file.spurious, .reuse = k->file.reuse}};
    TD_TRY(run_open(&k->with, &k->run, diag));
    const char *id = trc_build_id(run_sites(k->run));
    if (strcmp(k->file.build_id, id) != 0)
        return td_diag_set(diag, TD_E_USAGE, "the certificate is for another build of %s",
                           k->program);
    for (size_t i = 0; i < k->file.promoted.len; i++)
        if (k->file.promoted.at[i].site >= trc_sites_end(run_sites(k->run)))
            return td_diag_set(diag, TD_E_FORMAT,
                               "the certificate names a site that %s does not "
                               "have",
                               k->program);
    return TD_OK;
}

static bool submit(check *k, uint64_t id, const wire_step *steps, size_t n)
{
    run_request request = {.id = id,
                           .policy = WIRE_POLICY_LOWEST, /* exits come last */
                           .flags = WIRE_JOB_PENDING | WIRE_JOB_RACE_ALL |
                                    WIRE_JOB_STAND | WIRE_JOB_STAND_ON,
                           .steps = steps,
                           .n_steps = n,
                           .promoted = k->file.promoted.at,
                           .n_promoted = k->file.promoted.len};
    return run_submit(k->run, &request);
}

/* The next run; its number among those of the crt, or CRT_NONE where it is known. */
static td_status take(check *k, uint32_t *number)
{
    run_outcome outcome;
    uint64_t job;
    trc *t;
    TD_TRY(run_next(k->run, &outcome, &job, &t, &k->diag));
    if (outcome != RUN_TRACE)
        return td_diag_set(&k->diag, TD_E_LIMIT, "a run was lost: %s",
                           run_lost_why(k->run));
    if (t->done == WIRE_DONE_DIVERGED || t->done == WIRE_DONE_ASLEEP)
        return td_diag_set(&k->diag, TD_E_LIMIT,
                           "the program does not follow schedule %llu of the certificate",
                           (unsigned long long)job);
    return crt_take(&k->c, t, number, &k->diag);
}

static td_status execute_all(check *k)
{
    uint32_t n = (uint32_t)k->file.ends.len, sent = 0, number;
    for (uint32_t taken = 0; taken < n; taken++) {
        while (sent < n && sent - taken < WINDOW) {
            uint32_t from = sent > 0 ? k->file.ends.at[sent - 1] : 0;
            if (!submit(k, sent + 1, k->file.steps.at + from,
                        k->file.ends.at[sent] - from))
                break;
            sent++;
        }
        if (sent == taken)
            return td_diag_set(&k->diag, TD_E_LIMIT, "schedule %u is too long", sent + 1);
        TD_TRY(take(k, &number));
        k->n_runs++;
    }
    return TD_OK;
}

/* ---- other orders of the same traces ---- */

/* True if all causes of the event have been executed. */
static bool is_ready(const check *k, uint32_t event, const bool *done)
{
    const crt_event *e = &k->c.events.at[event];
    bool is = e->ask.before == CRT_NONE || done[e->ask.before];
    for (uint32_t i = 0; is && i < e->n_causes; i++)
        is = done[k->c.pool.at[e->causes + i]];
    return is;
}

/* Draws an order of the events of a run; the end of the process comes last, ends of threads at once. */
static void draw_order(const check *k, td_rng *rng, crt_list *left, crt_list *out)
{
    bool *done = td_alloc(k->c.events.len);
    crt_list_clear(out);
    while (left->len > 0) {
        size_t n = 0, chosen = 0;
        for (size_t i = 0; i < left->len; i++) {
            uint8_t kind = k->c.events.at[left->at[i]].turned;
            if (!is_ready(k, left->at[i], done) || (kind == WIRE_EXIT && left->len > 1))
                continue;
            if (kind == WIRE_END) {
                chosen = i;
                break;
            }
            if (td_rng_below(rng, ++n) == 0)
                chosen = i;
        }
        done[left->at[chosen]] = true;
        crt_list_push(out, left->at[chosen]);
        memmove(left->at + chosen, left->at + chosen + 1,
                (left->len - chosen - 1) * sizeof left->at[0]);
        left->len--;
    }
    td_free(done);
}

/* Operations that the table calls independent change places: the events must stay what they are. *is_same: they did. */
static td_status reorder(check *k, bool *is_same)
{
    td_rng rng = {k->seed};
    size_t n_runs = k->c.runs.len;
    *is_same = true;
    for (uint64_t i = 0; *is_same && n_runs > 0 && i < k->n_reorder; i++) {
        crt_list left = {0}, order = {0};
        crt_steps steps = {0};
        uint32_t number;
        crt_events_of(&k->c, (uint32_t)td_rng_below(&rng, n_runs), &left);
        draw_order(k, &rng, &left, &order);
        crt_schedule(&k->c, &order, CRT_NONE, &steps);
        td_status status =
            submit(k, i + 1, steps.at, steps.len)
                ? take(k, &number)
                : td_diag_set(&k->diag, TD_E_LIMIT, "a schedule is too long");
        crt_list_fini(&left);
        crt_list_fini(&order);
        crt_steps_fini(&steps);
        TD_TRY(status);
        *is_same = number == CRT_NONE; /* a set of events that is known */
        k->n_reordered++;
    }
    return TD_OK;
}

/* ---- result ---- */

static td_status write_missing(check *k, const crt_steps *steps)
{
    sto_recording r = {.version = td_strdup(TREADLE_VERSION),
                       .program = td_strdup(k->program),
                       .build_id = td_strdup(k->file.build_id),
                       .spurious = k->file.spurious,
                       .reuse = k->file.reuse};
    for (size_t i = 0; i < k->file.args.len; i++)
        sto_text_vec_push(&r.args, td_strdup(k->file.args.at[i]));
    for (size_t i = 0; i < k->file.promoted.len; i++) {
        trc_site at = trc_site_at(run_sites(k->run), k->file.promoted.at[i].site);
        sto_promoted_vec_push(&r.promoted,
                              (sto_promoted){.file = td_strdup(at.file),
                                             .function = td_strdup(at.function),
                                             .line = at.line,
                                             .column = at.column,
                                             .is_write = at.kind == WIRE_SITE_WRITE});
    }
    for (size_t i = 0; i < steps->len; i++)
        trc_step_vec_push(&r.schedule, steps->at[i]);
    td_text text = {0};
    sto_recording_print(&r, &text);
    td_status status = td_file_write(k->missing, text.at, text.len, &k->diag);
    td_text_fini(&text);
    sto_recording_fini(&r);
    return status;
}

static int say_missing(check *k)
{
    crt_steps steps = {0};
    trc_step_vec shown = {0};
    td_text text = {0};
    crt_schedule(&k->c, &k->c.missing, k->c.missing_thread, &steps);
    trc_step_vec_append(&shown, steps.at, steps.len);
    sto_schedule_print(&shown, &text);
    printf("NOT CERTIFIED: no run of the certificate starts with this schedule, up to "
           "reordering of independent operations:\n  schedule %s\n",
           text.at ? text.at : "main:1");
    td_status status = k->missing ? write_missing(k, &steps) : TD_OK;
    if (status != TD_OK)
        fprintf(stderr, "treadle-check: %s\n", k->diag.text);
    else if (k->missing)
        printf("  treadle replay %s\n", k->missing);
    td_text_fini(&text);
    trc_step_vec_fini(&shown);
    crt_steps_fini(&steps);
    return EXIT_NOT_CERTIFIED;
}

static int conclude(check *k)
{
    bool is_same;
    bool wants_states = k->goal ? strcmp(k->goal, "states") == 0 : k->file.wants_states;
    if (execute_all(k) != TD_OK)
        return cannot(k);
    crt_index_runs(&k->c);
    if (!(wants_states ? crt_states_closed(&k->c) : crt_traces_closed(&k->c)))
        return say_missing(k);
    if (reorder(k, &is_same) != TD_OK)
        return cannot(k);
    if (!is_same) {
        printf("NOT CERTIFIED: operations that the table calls independent are not\n");
        return EXIT_NOT_CERTIFIED;
    }
    td_text n[3] = {0};
    td_count_print(k->n_runs, &n[0]);
    td_count_print(k->c.n_obligations, &n[1]);
    td_count_print(k->n_reordered, &n[2]);
    printf("CERTIFIED: %s runs, %s obligations, 0 uncovered; %s runs reordered\n",
           n[0].at, n[1].at, n[2].at);
    printf("  %s of %s under sequential consistency: %zu traces, %zu events\n",
           wants_states ? "every local state" : "every trace", k->program, k->c.runs.len,
           k->c.events.len);
    for (int i = 0; i < 3; i++)
        td_text_fini(&n[i]);
    return EXIT_CERTIFIED;
}

/* -1: there is work to do. */
static int options(check *k, int argc, char **argv)
{
    enum { GOAL, REORDER, SEED, MISSING, HELP, VERSION };
    static const struct option table[] = {{"goal", required_argument, NULL, GOAL},
                                          {"reorder", required_argument, NULL, REORDER},
                                          {"seed", required_argument, NULL, SEED},
                                          {"missing", required_argument, NULL, MISSING},
                                          {"help", no_argument, NULL, HELP},
                                          {"version", no_argument, NULL, VERSION},
                                          {NULL, 0, NULL, 0}};
    bool is_fine = true;
    char *end = "";
    for (int option; (option = getopt_long(argc, argv, "", table, NULL)) != -1;) {
        is_fine = is_fine && option != '?' && *end == '\0';
        if (option == GOAL)
            k->goal = optarg;
        else if (option == REORDER)
            k->n_reorder = strtoull(optarg, &end, 10);
        else if (option == SEED)
            k->seed = strtoull(optarg, &end, 10);
        else if (option == MISSING)
            k->missing = optarg;
        else if (option == HELP || option == VERSION) {
            fputs(option == HELP ? usage : "treadle-check " TREADLE_VERSION "\n", stdout);
            return EXIT_CERTIFIED;
        }
    }
    bool is_goal =
        !k->goal || strcmp(k->goal, "states") == 0 || strcmp(k->goal, "traces") == 0;
    if (is_fine && is_goal && *end == '\0' && argc - optind == 2) {
        k->program = argv[optind];
        k->path = argv[optind + 1];
        return -1;
    }
    fputs(usage, stderr);
    return EXIT_CANNOT;
}

/* The write that the signal is about fails then. */
static void do_nothing(int signal)
{
    (void)signal;
}

static void survive(int signal)
{
    struct sigaction with = {.sa_handler = do_nothing, .sa_flags = SA_RESTART};
    sigaction(signal, &with, NULL);
}

int main(int argc, char **argv)
{
    check k = {.n_reorder = 1000, .seed = 1};
    survive(SIGPIPE);
    survive(SIGXFSZ);
    int code = options(&k, argc, argv);
    if (code < 0)
        code = start(&k) == TD_OK ? conclude(&k) : cannot(&k);
    if (k.run)
        run_close(k.run);
    crt_fini(&k.c);
    crt_file_fini(&k.file);
    td_free(k.argv);
    if (fflush(stdout) != 0 && code == EXIT_CERTIFIED)
        code = EXIT_CANNOT;
    return code;
}
