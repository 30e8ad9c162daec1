/* SPDX-License-Identifier: Apache-2.0 */
/* Replays a recording: for the user, for bugs of the previous session, or to see what a run covers. */
#include "session/run_items.h"
#include "base/assert.h"
#include "session/session_int.h"

#include <inttypes.h>
#include <unistd.h>

#define MAX_RECORDING (1u << 28) /* bytes */
#define SPARE_DEPTH 100000u      /* operations a replay may do beyond its schedule */

/* Number of runs of one schedule that show a nondeterministic program. */
#define NONDET_RUNS 8u

typedef struct replay {
    const ses_replay_opts *opts;
    const ses_exec *exec;
    FILE *out, *err;
    sto_recording recording;
    trc_chosen_vec inputs; /* inputs of the recording */
    trc_promoted_vec promoted;
    uint64_t recording_bytes;
    char *above; /* its program, if it lies above the recording; or NULL */
    char **argv;
    run_given given; /* arguments that are inputs */
    run *run;
    uint64_t n_jobs;
    uint32_t flags; /* flags of the last run */
    bool follows;   /* run_opts.follows */
    bool reported;
    ses_kept *kept; /* receives the finding instead of the output; or NULL */
} replay;

/* ---- start ---- */

static td_status recording_read(replay *p, td_diag *diag)
{
    td_text text = {0};
    td_status status = td_file_read(p->opts->path, MAX_RECORDING, &text, diag);
    if (status == TD_OK)
        status =
            sto_recording_parse(text.at ? text.at : "", text.len, &p->recording, diag);
    p->recording_bytes = text.len;
    td_text_fini(&text);
    return status;
}

/* Levels above the recording where its program is looked for: PROJECT/treadle-out/NAME.1/ID.treadle. */
#define MAX_ABOVE 4

/* The recorded program if it is not here: its path from a folder above the recording; NULL: none has it. */
static char *program_above(const char *path, const sto_recording *r)
{
    td_text at = {0};
    const char *slash = strrchr(path, '/');
    if (r->program[0] == '/' || !strchr(r->program, '/') || access(r->program, F_OK) == 0)
        return NULL;
    td_text_put(&at, slash ? path : ".", slash ? (size_t)(slash - path) : 1);
    for (int i = 0; i < MAX_ABOVE; i++) {
        size_t n = at.len;
        td_text_add(&at, "/%s", r->program);
        if (access(at.at, X_OK) == 0)
            return at.at;
        at.len = n;
        td_text_add(&at, "/..");
    }
    td_text_fini(&at);
    return NULL;
}

/* program: instead of the recorded one, or NULL. */
static char **argv_of(const sto_recording *r, const char *program)
{
    char **argv = td_alloc((r->args.len + 2) * sizeof *argv);
    argv[0] = program ? (char *)program : r->program;
    for (size_t i = 0; i < r->args.len; i++)
        argv[i + 1] = r->args.at[i];
    return argv;
}

static uint32_t depth_of(const sto_recording *r)
{
    uint64_t depth = SPARE_DEPTH;
    for (size_t i = 0; i < r->schedule.len && depth < UINT32_MAX; i++)
        depth += UINT64_C(2) * r->schedule.at[i].count;
    return depth < UINT32_MAX ? (uint32_t)depth : UINT32_MAX;
}

static run_opts run_opts_of(const replay *p)
{
    return (run_opts){.argv = p->argv,
                      .restart = p->opts->restart,
                      .carrier = p->opts->carrier,
                      .timeout_ms = p->opts->timeout_ms,
                      .depth = depth_of(&p->recording),
                      .keep_files = p->opts->keep_files,
                      .follows = p->follows,
                      .keep_output = p->opts->keep_output};
}

static bool is_kind(const replay *p, det_kind kind)
{
    return strcmp(p->recording.fail_kind, det_kind_id(kind)) == 0;
}

static run_request request_of(replay *p, uint32_t flags)
{
    if (is_kind(p, DET_EXIT))
        flags |= WIRE_JOB_EXIT_CODE;
    if (is_kind(p, DET_LEAK))
        flags |= WIRE_JOB_LEAKS;
    flags |= p->recording.model && *p->recording.model ? WIRE_JOB_STORES : 0;
    return (run_request){.id = ++p->n_jobs,
                         .policy = WIRE_POLICY_FIRST,
                         .flags = flags | WIRE_JOB_WAKE | WIRE_JOB_STAND,
                         .steps = p->recording.schedule.at,
                         .n_steps = p->recording.schedule.len,
                         .inputs = p->inputs.at,
                         .n_inputs = p->inputs.len,
                         .promoted = p->promoted.at,
                         .n_promoted = p->promoted.len};
}

static void say(const replay *p, const char *format, ...) TD_PRINTF(2, 3);
static void say(const replay *p, const char *format, ...)
{
    if (!p->err)
        return;
    fputs("treadle: ", p->err);
    va_list args;
    va_start(args, format);
    td_printv(p->err, format, args);
    va_end(args);
    fputc('\n', p->err);
}

static void say_start(const replay *p)
{
    td_text command = {0};
    for (size_t i = 0; p->argv[i]; i++)
        td_text_add(&command, "%s%s", i ? " " : "", p->argv[i]);
    say(p, "replaying %s", command.at);
    td_text_fini(&command);
}

static void note_rebuilt(const replay *p)
{
    const char *now = trc_build_id(p->exec->sites(p->run));
    const char *then = p->recording.build_id;
    if (*now && *then && strcmp(now, then) != 0)
        say(p, "%s was rebuilt after the recording", p->argv[0]);
}

/* ---- one run ---- */

static td_status execute(replay *p, uint32_t flags, trc **out, td_diag *diag)
{
    run_request request = request_of(p, flags);
    p->flags = flags;
    if (!p->exec->submit(p->run, &request))
        return td_diag_set(diag, TD_E_LIMIT, "the schedule of the recording is too long");
    run_outcome outcome = RUN_IDLE;
    uint64_t id = 0;
    TD_TRY(p->exec->next(p->run, &outcome, &id, out, diag));
    if (outcome == RUN_IDLE || id != request.id)
        return td_diag_set(diag, TD_E_FORMAT, "unexpected result of a run");
    if (outcome != RUN_TRACE)
        *out = NULL;
    else
        trc_identify(*out, p->exec->namer(p->run));
    if (*out)
        trc_name_races(*out);
    return TD_OK;
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static bool is_place(const sto_recording *r, const char *file, const char *function)
{
    return file && strcmp(r->fail_function, or_empty(function)) == 0 &&
           strcmp(ses_base_name(r->fail_file), ses_base_name(file)) == 0;
}

/* True for the same failure, perhaps on another line of a changed source. A hang may be seen on any line
 * of its loop. Recordings of 1.0 name the line in the library, later ones the user's line. */
static bool is_recorded(const sto_recording *r, const det_finding *f)
{
    if (strcmp(r->fail_kind, det_kind_id(f->kind)) != 0)
        return false;
    bool is_guess = f->kind == DET_CRASH && (f->line == 0 || r->fail_line == 0);
    if (f->kind == DET_HANG || is_guess)
        return true;
    if (is_place(r, f->user.file, f->user.function) &&
        (r->fail_line == f->user.line || strcmp(r->message, or_empty(f->message)) == 0))
        return true;
    return is_place(r, f->file, f->function) &&
           (r->fail_line == f->line || strcmp(r->message, or_empty(f->message)) == 0);
}

/* A recording without a failure: the run is to end, and not to fail. */
static bool is_run(const replay *p)
{
    return !*p->recording.fail_kind;
}

/* A finding for report/; does not move. */
typedef struct view {
    ses_shown_inputs shown_inputs;
    rep_cause cause;
    rep_finding what;
} view;

static void view_init(view *v, const replay *p, const det_finding *f, const trc *t)
{
    trc_sites *sites = p->exec->sites(p->run);
    bool is_known = ses_cause_recorded(sites, t, &p->recording, &v->cause);
    ses_shown_inputs_init(&v->shown_inputs, t, f,
                          &(ses_words){p->argv, &p->given, sites});
    v->what = (rep_finding){.finding = f,
                            .run = t,
                            .sites = sites,
                            .inputs = ses_shown_inputs_view(&v->shown_inputs),
                            .decisions = ses_shown_inputs_decisions(&v->shown_inputs),
                            .recording = p->opts->path,
                            .recording_bytes = p->recording_bytes,
                            .args = ses_shown_inputs_args(&v->shown_inputs),
                            .no_return = ses_no_return_recorded(sites, t, &p->recording),
                            .cause = is_known ? &v->cause : NULL,
                            .model = xpl_strongest_model(t),
                            .weaker = p->recording.weaker.at,
                            .n_weaker = p->recording.weaker.len};
}

/* The file name of a recording is the id of its finding, unless it was renamed. */
static bool is_named(const replay *p, const det_finding *f)
{
    const char *name = ses_base_name(p->opts->path);
    size_t len = strlen(f->id), n_key = strlen(f->key);
    return (strncmp(name, f->id, len) == 0 && name[len] == '.') ||
           (strncmp(name, f->key, n_key) == 0 && name[n_key] == '.');
}

static void print_finding(replay *p, const det_finding *f, const trc *t)
{
    TD_ASSERT(p->out && !p->kept);
    if (p->reported)
        return;
    p->reported = true;
    if (p->opts->watch) {
        view v;
        view_init(&v, p, f, t);
        p->opts->watch(p->opts->watch_ctx, &v.what);
        ses_shown_inputs_fini(&v.shown_inputs);
        return;
    }
    uint32_t line = f->user.file ? f->user.line : f->line;
    if (!is_run(p) && line != p->recording.fail_line && f->line != p->recording.fail_line)
        say(p, "the failure is at line %u now; it was %u", line, p->recording.fail_line);
    td_text text = {0};
    view v;
    view_init(&v, p, f, t);
    rep_finding_text(&v.what, &p->opts->report, &text);
    if (p->opts->fix && is_named(p, f))
        rep_fix_insert(p->opts->fix, p->opts->report.columns, &text);
    fwrite(text.at, 1, text.len, p->out);
    fflush(p->out);
    td_text_fini(&text);
    ses_shown_inputs_fini(&v.shown_inputs);
}

/* Gives a hang the name and place of the recorded one. */
static void place_recorded(const replay *p, det_finding *f)
{
    const sto_recording *r = &p->recording;
    const char *name = ses_base_name(p->opts->path);
    size_t len = strcspn(name, ".");
    if (strncmp(name, "hang-", 5) == 0 && len < sizeof f->id)
        snprintf(f->id, sizeof f->id, "%.*s", (int)len,
                 name); /* the key of a hang contains it as well */
    td_free(f->file);
    td_free(f->function);
    td_free(f->message);
    f->file = td_strdup(r->fail_file);
    f->function = td_strdup(r->fail_function);
    f->message = td_strdup(r->message);
    f->line = r->fail_line;
}

/* The recorded failure among those of a run; n if it is not there. */
static size_t recorded_of(const replay *p, const det_finding *all, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_named(p, &all[i]) && is_recorded(&p->recording, &all[i]))
            return i;
    for (size_t i = 0; i < n; i++)
        if (is_recorded(&p->recording, &all[i]))
            return i;
    return n;
}

/* Takes the finding over. */
static void keep(replay *p, det_finding *f, const trc *t)
{
    ses_kept_fini(p->kept);
    p->kept->is_set = true;
    p->kept->finding = *f;
    trc_copy(&p->kept->run, t);
    trc_promoted_vec_append(&p->kept->promoted, p->promoted.at, p->promoted.len);
    *f = (det_finding){0};
}

/* Prints or keeps the recorded failure if the run shows it. */
static bool shows(replay *p, const trc *t)
{
    det_finding_vec all = {0};
    const char *model = p->recording.model;
    if (model && *model && !xpl_model_allows(model, t)) {
        say(p, "%s no longer allows this run: the program has changed", model);
        return false;
    }
    det_findings(t, p->exec->sites(p->run), &all);
    size_t at = recorded_of(p, all.at, all.len);
    TD_ASSERT(at <= all.len);
    bool is_there = at < all.len;
    if (is_there && all.at[at].kind == DET_HANG)
        place_recorded(p, &all.at[at]);
    if (is_there && p->kept)
        keep(p, &all.at[at], t);
    else if (is_there && p->out)
        print_finding(p, &all.at[at], t);
    det_findings_fini(&all);
    return is_there;
}

/* Prints the first failure of a run that should pass. Returns true if it failed. */
static bool fails(replay *p, const trc *t)
{
    det_finding_vec all = {0};
    det_findings(t, p->exec->sites(p->run), &all);
    bool is_any = all.len > 0;
    if (is_any && p->out)
        print_finding(p, &all.at[0], t);
    det_findings_fini(&all);
    return is_any;
}

/* ---- why not ---- */

static void explain_diverged(const replay *p, const trc *t)
{
    td_text text = {0};
    ses_diverged_text(t, p->exec->sites(p->run), &text);
    say(p, "diverged from the recording at %s", text.at);
    td_text_fini(&text);
}

static void explain_other(const replay *p, const trc *t)
{
    det_finding_vec all = {0};
    det_findings(t, p->exec->sites(p->run), &all);
    if (all.len > 0)
        say(p, "another failure occurred: %s:%u: %s", or_empty(all.at[0].file),
            all.at[0].line, or_empty(all.at[0].message));
    else if (t->done == WIRE_DONE_EXIT)
        say(p, "the run ended without a failure (exit code %" PRIu64 ")", t->exit_code);
    else if (t->done == WIRE_DONE_REFUSED)
        say(p, "the run ended at an unsupported call");
    else
        say(p, "the run ended without the failure");
    det_findings_fini(&all);
}

static void explain(replay *p, const trc *t)
{
    if (p->opts->quiet)
        return;
    if (!t)
        say(p, "the program ended unexpectedly");
    else if (t->done == WIRE_DONE_DIVERGED)
        explain_diverged(p, t);
    else
        explain_other(p, t);
}

/* ---- replays ---- */

/* Runs once. A race after other races, or a failure after another failure, shows only if the earlier ones
 * do not end the run. */
static td_status replay_once(replay *p, bool *shown, td_diag *diag)
{
    bool is_race = is_kind(p, DET_RACE);
    bool is_hang = is_kind(p, DET_HANG);
    uint32_t flags = ses_replay_flags(is_hang   ? DET_HANG
                                      : is_race ? DET_RACE
                                                : DET_ASSERT);
    if (!is_race || p->promoted.len > 0) /* as when it was confirmed */
        flags |= WIRE_JOB_RACE_ON;
    trc *t = NULL;
    TD_TRY(execute(p, flags, &t, diag));
    *shown = t && shows(p, t);
    flags |= WIRE_JOB_RACE_ON;
    for (unsigned i = 0; i < 2 && !*shown && is_race && t; i++) {
        TD_TRY(execute(p, flags, &t, diag));
        flags |= ses_race_flags(&p->promoted);
        *shown = t && shows(p, t);
    }
    if (!*shown && t && t->done == WIRE_DONE_FAIL) {
        TD_TRY(execute(p, flags | WIRE_JOB_STAND_ON, &t, diag));
        *shown = t && shows(p, t);
    }
    if (!*shown)
        explain(p, t);
    return TD_OK;
}

/* Runs the schedule until two runs differ. */
static td_status replay_nondet(replay *p, bool *shown, td_diag *diag)
{
    TD_ASSERT(is_kind(p, DET_NONDET));
    trc first;
    trc *t = NULL;
    *shown = false;
    TD_TRY(execute(p, WIRE_JOB_DETAIL, &t, diag));
    if (!t)
        return TD_OK;
    trc_copy(&first, t);
    td_status status = TD_OK;
    for (unsigned i = 1; status == TD_OK && !*shown && i < NONDET_RUNS; i++) {
        status = execute(p, WIRE_JOB_DETAIL, &t, diag);
        *shown = status == TD_OK && t && !td_id_equal(t->records, first.records);
    }
    if (*shown && p->out) {
        det_finding f = {0};
        det_nondet(&first, t, p->exec->sites(p->run), &f);
        print_finding(p, &f, t);
        det_finding_fini(&f);
    }
    trc_fini(&first);
    return status;
}

/* Replays a recording without a failure: the run must exit and not fail. */
static td_status replay_run(replay *p, bool *shown, bool *failed, td_diag *diag)
{
    trc *t = NULL;
    TD_TRY(execute(p, ses_replay_flags(DET_ASSERT), &t, diag));
    *failed = t && fails(p, t);
    *shown = t && !*failed && t->done == WIRE_DONE_EXIT;
    if (!*shown && !*failed)
        explain(p, t);
    return TD_OK;
}

static td_status replay_any(replay *p, ses_replay_result *out, td_diag *diag)
{
    bool shown = false, failed = false;
    if (is_run(p))
        TD_TRY(replay_run(p, &shown, &failed, diag));
    else if (is_kind(p, DET_NONDET))
        TD_TRY(replay_nondet(p, &shown, diag));
    else
        TD_TRY(replay_once(p, &shown, diag));
    TD_ASSERT(!(shown && failed));
    out->n_times++;
    out->n_shown += shown;
    out->n_failed += failed;
    return TD_OK;
}

static void say_end(const replay *p, const ses_replay_result *r)
{
    TD_ASSERT(r->n_shown + r->n_failed <= r->n_times);
    TD_ASSERT(r->is_run || r->n_failed == 0);
    if (r->n_times > 1)
        say(p, "replayed %u of %u", r->n_shown, r->n_times);
    if (r->n_failed > 0)
        say(p, "the recorded run did not fail; it fails now");
    else if (r->n_shown < r->n_times && r->is_run)
        say(p, "NOT REPRODUCED. The run diverged from the recording.");
    else if (r->n_shown < r->n_times)
        say(p, "NOT REPRODUCED. This does not prove that the bug is fixed; run 'treadle "
               "run' again.");
    else if (r->is_run)
        say(p, "the run ended as recorded, without a failure");
}

static td_status replay_all(replay *p, ses_replay_result *out, td_diag *diag)
{
    uint32_t times = p->opts->times ? p->opts->times : 1;
    if (p->opts->keep_output)
        say_start(p);
    note_rebuilt(p);
    out->is_run = is_run(p);
    while (out->n_times < times)
        TD_TRY(replay_any(p, out, diag));
    say_end(p, out);
    return TD_OK;
}

/* The program's arguments, its inputs, and how it is started. */
static td_status prepare(replay *p, run_opts *opts, td_diag *diag)
{
    if (!p->opts->program)
        p->above = program_above(p->opts->path, &p->recording);
    p->argv = argv_of(&p->recording, p->above ? p->above : p->opts->program);
    ses_inputs_recorded(&p->recording, &p->inputs);
    *opts = run_opts_of(p);
    return ses_given_recorded(&p->recording, p->argv, &opts->given, diag);
}

static td_status open_prepared(replay *p, const run_opts *opts, td_diag *diag)
{
    TD_TRY(p->exec->open(opts, &p->run, diag));
    ses_promoted_recorded(p->exec->sites(p->run), &p->recording, &p->promoted);
    return TD_OK;
}

static td_status open_program(replay *p, td_diag *diag)
{
    run_opts opts;
    TD_TRY(prepare(p, &opts, diag));
    return open_prepared(p, &opts, diag);
}

/* ---- in a debugger ---- */

static void put_points(const rep_stop_point_vec *points, td_text *out)
{
    for (size_t i = 0; i < points->len; i++) {
        const rep_stop_point *x = &points->at[i];
        td_text_add(out, "%u\t", x->act);
        td_text_add(out, x->thread == 0 ? "main" : "T%u", x->thread);
        td_text_add(out, "\t%s\t%u\t%s\n", x->file, x->line, x->text);
    }
}

/* Prints the steps of the report from a replay; p->flags are the flags of its run. Prints nothing if the run does
 * not fail. */
static td_status find_points(replay *p, td_text *out, td_diag *diag)
{
    ses_kept kept = {0};
    bool shown = false;
    p->kept = &kept;
    td_status status = replay_once(p, &shown, diag);
    p->kept = NULL;
    if (shown && status == TD_OK) {
        rep_stop_point_vec points = {0};
        view v;
        view_init(&v, p, &kept.finding, &kept.run);
        rep_finding_stop_points(&v.what, &p->opts->report, &points);
        ses_shown_inputs_fini(&v.shown_inputs);
        if (kept.finding.fail == 0) /* it may end the run */
            p->flags &= ~(is_kind(p, DET_RACE) ? WIRE_JOB_RACE_ON : 0);
        put_points(&points, out);
        rep_stop_points_fini(&points);
    }
    ses_kept_fini(&kept);
    return status;
}

/* Any failure but a race has the races of the run before it. */
static td_status become_gdb(replay *p, run_opts *opts, td_diag *diag)
{
    td_text steps = {0};
    uint32_t flags = is_kind(p, DET_RACE) ? 0 : WIRE_JOB_RACE_ON;
    bool has_steps = !is_run(p) && !is_kind(p, DET_NONDET) && !is_kind(p, DET_HANG);
    if (has_steps)
        TD_TRY(find_points(p, &steps, diag));
    if (steps.len > 0)
        flags = p->flags & ~WIRE_JOB_STACKS;
    p->exec->close(p->run); /* gdb starts it again */
    p->run = NULL;
    opts->carrier = WIRE_CARRIER_THREADS;
    opts->keep_output = true;
    opts->dap = p->opts->dap;
    run_request request = request_of(p, flags);
    td_status status = p->exec->gdb(opts, &request, steps.len > 0 ? steps.at : "", diag);
    td_text_fini(&steps);
    return status;
}

static td_status with_recording(replay *p, ses_replay_result *out, td_diag *diag)
{
    run_opts opts;
    TD_TRY(recording_read(p, diag));
    TD_TRY(prepare(p, &opts, diag));
    p->given = opts.given;
    TD_TRY(open_prepared(p, &opts, diag));
    if (p->opts->gdb)
        return become_gdb(p, &opts, diag);
    return replay_all(p, out, diag);
}

static void replay_fini(replay *p)
{
    if (p->run)
        p->exec->close(p->run);
    td_free(p->argv);
    td_free(p->above);
    trc_chosen_vec_fini(&p->inputs);
    trc_promoted_vec_fini(&p->promoted);
    sto_recording_fini(&p->recording);
}

td_status ses_replay(const ses_replay_opts *opts, const ses_exec *exec,
                     ses_replay_result *out, td_diag *diag)
{
    TD_ASSERT(opts->path);
    *out = (ses_replay_result){0};
    replay p = {.opts = opts,
                .exec = exec,
                .out = opts->out ? opts->out : stdout,
                .err = opts->err ? opts->err : stderr};
    td_status status = with_recording(&p, out, diag);
    replay_fini(&p);
    return status;
}

/* ---- in a session ---- */

void ses_kept_fini(ses_kept *k)
{
    if (k->is_set)
        trc_fini(&k->run);
    det_finding_fini(&k->finding);
    trc_promoted_vec_fini(&k->promoted);
    *k = (ses_kept){0};
}

td_status ses_recheck(ses *s, const char *path, const sto_recording *r, ses_kept *kept,
                      bool *fails, td_diag *diag)
{
    TD_ASSERT(!s->runs_own);
    const ses_replay_opts opts = {.path = path, .quiet = true};
    replay p = {.opts = &opts,
                .exec = s->exec,
                .recording = *r,
                .run = s->run,
                .n_jobs = SES_OWN_JOB | s->n_own_jobs,
                .kept = kept};
    ses_inputs_recorded(r, &p.inputs);
    ses_promoted_recorded(s->exec->sites(s->run), r, &p.promoted);
    s->runs_own = true;
    td_status status = ses_drain(s, diag);
    if (status == TD_OK)
        status = replay_once(&p, fails, diag);
    s->runs_own = false;
    s->n_own_jobs = p.n_jobs & ~SES_OWN_JOB;
    trc_chosen_vec_fini(&p.inputs);
    trc_promoted_vec_fini(&p.promoted);
    return status;
}

/* ---- runs of a regression suite ---- */

static td_status follow_run(replay *p, ses_followed *out, td_diag *diag)
{
    TD_ASSERT(is_run(p) && !p->out);
    trc *t = NULL;
    TD_TRY(execute(p, WIRE_JOB_SIDES, &t, diag));
    if (!t)
        return TD_OK;
    out->failed = fails(p, t);
    out->as_recorded = !out->failed && t->done == WIRE_DONE_EXIT;
    out->n_choices = t->n_choices;
    if (out->as_recorded)
        ses_items(t, &out->items);
    return TD_OK;
}

static td_status follow(replay *p, ses_followed *out, td_diag *diag)
{
    TD_TRY(recording_read(p, diag));
    p->follows = is_run(p);
    TD_TRY(open_program(p, diag));
    out->program = td_strdup(p->recording.program);
    out->is_bug = !is_run(p);
    if (!out->is_bug)
        return follow_run(p, out, diag);
    ses_replay_result result = {0};
    TD_TRY(replay_any(p, &result, diag));
    out->as_recorded = result.n_shown > 0;
    return TD_OK;
}

td_status ses_follow(const char *path, const ses_exec *exec, ses_followed *out,
                     td_diag *diag)
{
    const ses_replay_opts opts = {.path = path, .quiet = true};
    *out = (ses_followed){0};
    replay p = {.opts = &opts, .exec = exec};
    td_status status = follow(&p, out, diag);
    if (status != TD_OK)
        ses_followed_fini(out);
    replay_fini(&p);
    return status;
}
