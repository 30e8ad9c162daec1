/* SPDX-License-Identifier: Apache-2.0 */
/* The session with an executor that is a model: main creates T1 and T2, each stores its
 * number into x once, main joins both, looks at x and exits. There are 5 interleavings;
 * in one of them x is 1 at the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/session.h"
#include "store/store.h"
#include "wire/sym.h"

#define N_INTERLEAVINGS 5u
#define ALL                                                                              \
    (ses_opts)                                                                           \
    {                                                                                    \
        .search = "all"                                                                  \
    }
#define OBJECT_X UINT64_C(0x1000)

TD_VEC(wire_rec, rec_vec);

/* What the model does; set by the tests before the session starts. */
typedef struct plan {
    bool fails;          /* an assertion: x is 2 */
    bool detail_cures;   /* ... which holds in every replay */
    uint64_t cured_from; /* ... from that replay on; 0: never */
    const char *dir;     /* of the session: looked into before each replay */
    bool drifts;         /* a value differs from run to run */
    bool tainted;        /* every run has a gap that explains such things */
    bool diverges;       /* replays cannot follow their schedule */
    bool asks;           /* for an input of 3 bits; fails only if that is 6 */
    uint64_t lost_job;   /* job of this number gives no run */
    size_t ring;         /* jobs that fit; 0: many */
    uint64_t stop_after; /* runs before the user interrupts; 0: never */
    uint64_t tick_ms;    /* more time passes between two looks at the clock */
} plan;

/* The executor: a queue of jobs and the run of the last one taken. */
struct run {
    plan plan;
    run_request jobs[1024];
    wire_step steps[1024][16];
    wire_input inputs[1024][4];
    size_t head, tail;
    uint64_t n_runs, clock;
    trc trace;
    trc_sites *sites;
    trc_namer *namer;
};

/* Handed to fake_open, which has no other way to learn it. */
static plan next_plan;

/* What the executor saw. */
static uint64_t n_replays;    /* runs with all accesses */
static uint64_t n_shortening; /* runs that follow a schedule without them ... */
static uint64_t n_kept;       /* ... while a recording was there */

static bool has_recording(const char *dir)
{
    glob_t found;
    char pattern[128];
    snprintf(pattern, sizeof pattern, "%s/assert-*.treadle", dir);
    int rc = glob(pattern, 0, NULL, &found);
    globfree(&found);
    return rc == 0;
}

/* ---- the model ---- */

typedef struct model {
    const run *r;
    const run_request *job;
    rec_vec recs;
    uint32_t at[3]; /* next operation of each thread */
    uint32_t n_threads;
    uint32_t last;
    uint64_t x, rng, input;
    uint32_t step, step_used;
} model;

static const uint8_t program[3][6] = {
    {WIRE_CREATE, WIRE_CREATE, WIRE_JOIN, WIRE_JOIN, WIRE_EXIT, 0},
    {WIRE_STORE, 0},
    {WIRE_STORE, 0},
};

static bool ended(const model *m, uint32_t thread)
{
    return program[thread][m->at[thread]] == 0;
}

static bool enabled(const model *m, uint32_t thread)
{
    if (thread >= m->n_threads || ended(m, thread))
        return false;
    if (thread == 0 && program[0][m->at[0]] == WIRE_JOIN)
        return ended(m, m->at[0] - 1);
    return true;
}

static wire_rec *emit(model *m, uint8_t kind, uint32_t thread)
{
    rec_vec_push(&m->recs, (wire_rec){.kind = kind, .thread = thread});
    return &m->recs.at[m->recs.len - 1];
}

static uint32_t pick(model *m)
{
    while (m->step < m->job->n_steps && m->step_used == m->job->steps[m->step].count) {
        m->step++;
        m->step_used = 0;
    }
    if (m->step < m->job->n_steps) {
        m->step_used++;
        return m->job->steps[m->step].thread;
    }
    if (m->job->policy == WIRE_POLICY_FIRST && enabled(m, m->last))
        return m->last;
    for (;;) {
        m->rng = m->rng * 6364136223846793005u + 1442695040888963407u;
        uint32_t thread = (uint32_t)(m->rng >> 33) % 3;
        if (enabled(m, thread))
            return thread;
    }
}

static void emit_op(model *m, uint32_t thread)
{
    uint8_t kind = program[thread][m->at[thread]];
    uint32_t n_enabled = 0;
    for (uint32_t i = 0; i < 3; i++)
        n_enabled += enabled(m, i);
    wire_rec alternatives = {.kind = WIRE_NOTE_ENABLED};
    for (uint32_t i = 0; i < 3; i++)
        if (enabled(m, i) && i != thread)
            alternatives.ids[alternatives.size++] = i;

    wire_rec *op = emit(m, kind, thread);
    op->count = n_enabled;
    if (kind == WIRE_STORE) {
        m->x = thread;
        op->size = 4;
        op->object = OBJECT_X;
        op->value = m->x + (m->r->plan.drifts ? 10 * m->r->n_runs : 0);
    } else if (kind == WIRE_CREATE) {
        op->value = m->n_threads;
    } else if (kind == WIRE_JOIN) {
        op->value = m->at[0] - 1;
    }
    if (kind == WIRE_CREATE)
        emit(m, WIRE_NOTE_THREAD, m->n_threads++);
    if ((m->job->flags & WIRE_JOB_ENABLED) && n_enabled > 1)
        rec_vec_push(&m->recs, alternatives);
    m->at[thread]++;
    m->last = thread;
    if (thread > 0 && ended(m, thread))
        emit(m, WIRE_END, thread)->flags = WIRE_F_FORCED;
}

static void emit_done(model *m, enum wire_done how, uint64_t value)
{
    uint64_t n_ops = 0;
    uint32_t n_choices = 0;
    for (size_t i = 0; i < m->recs.len; i++) {
        bool is_op = m->recs.at[i].kind < WIRE_N_OPS;
        n_ops += is_op;
        n_choices += is_op && !(m->recs.at[i].flags & WIRE_F_FORCED);
    }
    wire_rec *done = emit(m, WIRE_NOTE_DONE, 0);
    done->size = (uint8_t)how;
    done->object = n_ops;
    done->count = n_choices;
    done->value = value;
}

static void emit_failure(model *m)
{
    wire_rec *fail = emit(m, WIRE_NOTE_FAIL, 0);
    fail->size = WIRE_FAIL_ASSERT;
    wire_rec *text = emit(m, WIRE_NOTE_TEXT, 0);
    text->size = 6;
    memcpy(text->text, "x == 2", 6);
    emit_done(m, WIRE_DONE_FAIL, 0);
}

static void emit_gap(model *m)
{
    emit(m, WIRE_NOTE_GAP, 0)->size = WIRE_GAP_TAINTED;
    wire_rec *text = emit(m, WIRE_NOTE_TEXT, 0);
    text->size = 5;
    memcpy(text->text, "write", 5);
}

#define INPUT_KEY 77u

/* "n", and whether it is 6. */
static void emit_input(model *m)
{
    for (size_t i = 0; i < m->job->n_inputs; i++)
        if (m->job->inputs[i].key == INPUT_KEY)
            m->input = m->job->inputs[i].value;
    wire_rec *r = emit(m, WIRE_NOTE_INPUT, 0);
    r->size = 3;
    r->order = WIRE_UNSIGNED;
    r->object = INPUT_KEY;
    r->value = m->input;
    r = emit(m, WIRE_NOTE_TEXT, 0);
    r->size = 1;
    r->text[0] = 'n';
    r = emit(m, WIRE_NOTE_NODE, 0);
    r->size = WIRE_SYM_INPUT;
    r->order = 3;
    r = emit(m, WIRE_NOTE_NODE, 1);
    r->size = WIRE_SYM_EQ;
    r->order = 1;
    r->object = 6;
    r = emit(m, WIRE_DECIDE, 0);
    r->size = WIRE_DECIDE_BRANCH;
    r->flags = WIRE_F_FORCED;
    r->object = 2;
    r->value = m->input == 6;
}

static bool must_fail(const model *m)
{
    const plan *p = &m->r->plan;
    bool in_detail = (m->job->flags & WIRE_JOB_DETAIL) != 0;
    bool cured = (p->detail_cures && in_detail) ||
                 (p->cured_from > 0 && in_detail && n_replays >= p->cured_from);
    return p->fails && !cured && m->x == 1 && (!p->asks || m->input == 6);
}

static void model_run(model *m)
{
    bool refuses = m->r->plan.diverges && (m->job->flags & WIRE_JOB_DETAIL);
    if (m->r->plan.tainted)
        emit_gap(m);
    if (m->r->plan.asks)
        emit_input(m);
    for (;;) {
        if (program[0][m->at[0]] == WIRE_EXIT && must_fail(m)) {
            emit_failure(m);
            return;
        }
        if (ended(m, 0)) {
            emit_done(m, WIRE_DONE_EXIT, 0);
            return;
        }
        uint32_t thread = pick(m);
        if (!enabled(m, thread) || (refuses && m->n_threads == 3)) {
            emit_done(m, WIRE_DONE_DIVERGED, thread);
            return;
        }
        emit_op(m, thread);
    }
}

/* ---- the executor ---- */

static td_status fake_open(const run_opts *opts, run **out, td_diag *diag)
{
    run *r = td_alloc(sizeof *r);
    r->plan = next_plan;
    trc_init(&r->trace);
    r->namer = trc_namer_new(NULL, 0);
    *out = r;
    return trc_sites_open(NULL, 0, &r->sites, diag);
}

static void fake_close(run *r)
{
    trc_fini(&r->trace);
    trc_namer_free(r->namer);
    trc_sites_free(r->sites);
    td_free(r);
}

static bool fake_submit(run *r, const run_request *request)
{
    size_t most = r->plan.ring ? r->plan.ring : 1024;
    if (r->tail - r->head == most)
        return false;
    size_t slot = r->tail++ % 1024;
    assert_true(request->n_steps <= 16);
    r->jobs[slot] = *request;
    if (request->n_steps > 0)
        memcpy(r->steps[slot], request->steps, request->n_steps * sizeof(wire_step));
    r->jobs[slot].steps = r->steps[slot];
    assert_true(request->n_inputs <= 4);
    if (request->n_inputs > 0)
        memcpy(r->inputs[slot], request->inputs, request->n_inputs * sizeof(wire_input));
    r->jobs[slot].inputs = r->inputs[slot];
    return true;
}

static td_status fake_next(run *r, run_outcome *outcome, uint64_t *job, trc **out,
                           td_diag *diag)
{
    if (r->head == r->tail) {
        *outcome = RUN_IDLE;
        return TD_OK;
    }
    const run_request *request = &r->jobs[r->head++ % 1024];
    *job = request->id;
    r->n_runs++;
    n_replays += (request->flags & WIRE_JOB_DETAIL) != 0;
    if (r->plan.dir && n_replays > 0 && !(request->flags & WIRE_JOB_DETAIL)) {
        n_shortening++;
        n_kept += has_recording(r->plan.dir);
    }
    *outcome = request->id == r->plan.lost_job ? RUN_LOST : RUN_TRACE;
    model m = {.r = r, .job = request, .n_threads = 1, .rng = request->seed};
    model_run(&m);
    trc_clear(&r->trace);
    size_t used = 0;
    td_status status = trc_feed(&r->trace, m.recs.at, m.recs.len, &used, 1000, diag);
    rec_vec_fini(&m.recs);
    r->trace.job = *job;
    *out = &r->trace;
    return status;
}

static trc_sites *fake_sites(run *r)
{
    return r->sites;
}

static trc_namer *fake_namer(run *r)
{
    return r->namer;
}

static td_status fake_gdb(const run_opts *opts, const run_request *request,
                          const char *steps, td_diag *diag)
{
    (void)steps;
    return td_diag_set(diag, TD_E_SYSTEM, "no gdb here");
}

static uint64_t fake_now_ms(run *r)
{
    r->clock += 1 + r->plan.tick_ms;
    return r->clock;
}

static bool fake_interrupted(run *r)
{
    return r->plan.stop_after && r->n_runs >= r->plan.stop_after;
}

static const char *fake_lost_why(const run *r)
{
    return "the program ended unexpectedly";
}

static const ses_exec fake_exec = {
    .open = fake_open,
    .close = fake_close,
    .submit = fake_submit,
    .next = fake_next,
    .lost_why = fake_lost_why,
    .sites = fake_sites,
    .namer = fake_namer,
    .gdb = fake_gdb,
    .now_ms = fake_now_ms,
    .interrupted = fake_interrupted,
};

/* ---- a search that is a model ---- */

/* Hands out one job at a time, n_jobs of the default schedule. */
typedef struct script {
    uint64_t n_jobs;
    bool stuck; /* never complete */
    xpl_gap gap;
    xpl_opts seen; /* what the session passed on */
} script;

static script next_script;

typedef struct fake {
    xpl head;
    script script;
    uint64_t n_out, n_back;
} fake;

static const xpl_search fake_search;

static xpl *fake_new(const xpl_opts *opts)
{
    fake *x = td_alloc(sizeof *x);
    x->head.search = &fake_search;
    x->script = next_script;
    next_script.seen = *opts;
    return &x->head;
}

static bool fake_job(xpl *x, xpl_job *out)
{
    fake *f = (fake *)x;
    if (f->n_out > f->n_back || f->n_out == f->script.n_jobs)
        return false;
    *out = (xpl_job){.id = ++f->n_out, .policy = WIRE_POLICY_FIRST};
    return true;
}

static void fake_feed(xpl *x, const trc *result)
{
    fake *f = (fake *)x;
    assert_int_equal(result->job, ++f->n_back);
}

static void fake_lost(xpl *x, uint64_t job)
{
    fake *f = (fake *)x;
    assert_int_equal(job, ++f->n_back);
}

static bool fake_complete(const xpl *x)
{
    const fake *f = (const fake *)x;
    return !f->script.stuck && f->n_back == f->script.n_jobs;
}

static void fake_count(const xpl *x, xpl_counts *out)
{
    *out = (xpl_counts){.events = 1000 + ((const fake *)x)->n_back, .digest = {5, 7}};
}

static size_t fake_gaps(const xpl *x, xpl_gap *out, size_t max)
{
    const fake *f = (const fake *)x;
    if (f->script.gap.count == 0 || max == 0)
        return 0;
    out[0] = f->script.gap;
    return 1;
}

static void fake_free(xpl *x)
{
    td_free(x);
}

static const xpl_search fake_search = {
    .name = "fake",
    .covers = XPL_STATES,
    .text = "the default schedule, again and again",
    .new = fake_new,
    .next = fake_job,
    .feed = fake_feed,
    .lost = fake_lost,
    .complete = fake_complete,
    .count = fake_count,
    .gaps = fake_gaps,
    .free = fake_free,
};

/* ---- one session ---- */

typedef struct fixture {
    char dir[64];
    char *argv[3];
    char *text; /* what the session printed */
    size_t text_len;
    ses_result result;
    td_diag diag;
} fixture;

static int setup(void **state)
{
    fixture *f = td_alloc(sizeof *f);
    strcpy(f->dir, "test_session.XXXXXX");
    if (!mkdtemp(f->dir))
        return -1;
    f->argv[0] = "./model";
    f->argv[1] = "an argument";
    next_plan = (plan){0};
    next_script = (script){.n_jobs = 20};
    n_replays = n_shortening = n_kept = 0;
    *state = f;
    return 0;
}

static void forget(fixture *f)
{
    ses_result_fini(&f->result);
    free(f->text);
    f->text = NULL;
}

static int teardown(void **state)
{
    fixture *f = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", f->dir);
    int status = system(command);
    forget(f);
    td_free(f);
    return status;
}

static void explore(fixture *f, ses_opts opts)
{
    forget(f);
    opts.version = "0.1.0";
    opts.argv = f->argv;
    opts.out_dir = f->dir;
    opts.quiet = true;
    opts.out = open_memstream(&f->text, &f->text_len);
    td_status status = ses_run(&opts, &fake_exec, &f->result, &f->diag);
    fclose(opts.out);
    assert_string_equal(f->diag.text, "");
    assert_int_equal(status, TD_OK);
}

static bool printed(const fixture *f, const char *part)
{
    return f->text && strstr(f->text, part) != NULL;
}

/* ---- tests ---- */

static void test_complete(void **state)
{
    fixture *f = *state;
    explore(f, ALL);
    assert_int_equal(f->result.verdict, REP_VERDICT_COMPLETE);
    assert_int_equal(f->result.runs, N_INTERLEAVINGS);
    assert_int_equal(f->result.traces, 2);
    assert_int_equal(f->result.repeats, 3);
    assert_int_equal(f->result.findings.len, 0);
    assert_null(f->result.stopped);
}

static void test_full_ring_changes_nothing(void **state)
{
    fixture *f = *state;
    next_plan.fails = true;
    explore(f, ALL);
    uint64_t runs = f->result.runs;
    next_plan.ring = 1;
    explore(f, ALL);
    assert_int_equal(f->result.runs, runs);
    explore(f, (ses_opts){.search = "all", .keep_going = true});
    assert_int_equal(f->result.runs, N_INTERLEAVINGS);
}

static void test_bug_stops(void **state)
{
    fixture *f = *state;
    next_plan.fails = true;
    explore(f, ALL);
    assert_int_equal(f->result.verdict, REP_VERDICT_BUG);
    assert_int_equal(f->result.findings.len, 1);
    const det_finding *found = &f->result.findings.at[0];
    assert_int_equal(found->kind, DET_ASSERT);
    assert_int_equal(found->run, f->result.runs);
    assert_true(printed(f, found->id));
    assert_true(printed(f, "SUMMARY"));
    assert_int_equal(access(f->result.recordings.at[0], R_OK), 0);
}

/* Runs that shorten and explain it come after it was stored. */
static void test_kept_before_it_is_explained(void **state)
{
    fixture *f = *state;
    next_plan.fails = true;
    next_plan.dir = f->dir;
    explore(f, ALL);
    assert_int_equal(f->result.findings.len, 1);
    assert_true(n_shortening > 0);
    assert_int_equal(n_kept, n_shortening);
    assert_false(printed(f, "--explain-time"));
}

static void test_kept_and_taken_back(void **state)
{
    fixture *f = *state;
    next_plan.fails = next_plan.tainted = true;
    next_plan.dir = f->dir;
    next_plan.cured_from = 4;
    explore(f, ALL);
    assert_true(n_kept > 0);
    assert_int_equal(f->result.findings.len, 0);
    assert_false(has_recording(f->dir));
    sto_past past;
    assert_int_equal(sto_past_read(f->dir, &past, NULL), TD_OK);
    assert_int_equal(past.findings.len, 0);
    sto_past_fini(&past);
}

/* The finding is there, and the report says that time was not enough. */
static void test_explained_in_time(void **state)
{
    fixture *f = *state;
    next_plan.fails = true;
    next_plan.dir = f->dir;
    explore(f, ALL);
    uint64_t all = n_shortening;
    n_replays = n_shortening = 0;
    next_plan.tick_ms = 100;
    explore(f, (ses_opts){.search = "all", .no_known = true, .explain_ms = 1500});
    assert_int_equal(f->result.findings.len, 1);
    assert_true(n_shortening > 0 && n_shortening < all);
    assert_true(printed(f, "(--explain-time)"));
    assert_int_equal(access(f->result.recordings.at[0], R_OK), 0);
}

static void test_keep_going(void **state)
{
    fixture *f = *state;
    next_plan.fails = true;
    explore(f, (ses_opts){.search = "all", .keep_going = true});
    assert_int_equal(f->result.verdict, REP_VERDICT_BUG);
    assert_int_equal(f->result.runs, N_INTERLEAVINGS);
    assert_int_equal(f->result.findings.len, 1);
    assert_null(f->result.stopped);
}

static void test_repeat_compares(void **state)
{
    fixture *f = *state;
    explore(f, (ses_opts){.search = "all", .repeat = 10});
    assert_int_equal(f->result.verdict, REP_VERDICT_COMPLETE);
    assert_int_equal(f->result.runs, N_INTERLEAVINGS);
    assert_int_equal(f->result.repeats, 9 * N_INTERLEAVINGS);
}

static void test_drifting_program(void **state)
{
    fixture *f = *state;
    next_plan.drifts = true;
    explore(f, ALL);
    assert_int_equal(f->result.verdict, REP_VERDICT_BUG);
    assert_int_equal(f->result.findings.at[0].kind, DET_NONDET);
}

static void test_drift_explained(void **state)
{
    fixture *f = *state;
    next_plan.drifts = next_plan.tainted = true;
    explore(f, ALL);
    assert_int_equal(f->result.verdict, REP_VERDICT_INCOMPLETE);
    assert_int_equal(f->result.findings.len, 0);
}

static void test_unconfirmed_is_no_finding(void **state)
{
    fixture *f = *state;
    next_plan.fails = next_plan.detail_cures = next_plan.tainted = true;
    explore(f, ALL);
    assert_int_equal(f->result.verdict, REP_VERDICT_INCOMPLETE);
    assert_int_equal(f->result.findings.len, 0);
    assert_false(printed(f, "SUMMARY"));
}

/* The same job fails each time, and only a replay with details does not: that is no nondeterminism
 * of the program. */
static void test_unconfirmed_is_a_gap(void **state)
{
    fixture *f = *state;
    next_plan.fails = next_plan.detail_cures = true;
    explore(f, ALL);
    assert_int_equal(f->result.verdict, REP_VERDICT_INCOMPLETE);
    assert_int_equal(f->result.findings.len, 0);
}

static void test_lost_is_incomplete(void **state)
{
    fixture *f = *state;
    next_plan.lost_job = 2;
    explore(f, ALL);
    assert_int_equal(f->result.verdict, REP_VERDICT_INCOMPLETE);
    assert_true(f->result.runs < N_INTERLEAVINGS);
}

static void test_run_limit(void **state)
{
    fixture *f = *state;
    explore(f, (ses_opts){.search = "all", .runs = 3});
    assert_int_equal(f->result.verdict, REP_VERDICT_INCOMPLETE);
    assert_int_equal(f->result.runs, 3);
    assert_string_equal(f->result.stopped, "run limit 3");
    explore(f, (ses_opts){.search = "all", .runs = N_INTERLEAVINGS});
    assert_int_equal(f->result.verdict, REP_VERDICT_COMPLETE);
}

static void test_time_limit(void **state)
{
    fixture *f = *state;
    explore(f, (ses_opts){.search = "all", .time_ms = 2});
    assert_int_equal(f->result.verdict, REP_VERDICT_INCOMPLETE);
    assert_string_equal(f->result.stopped, "time limit 2 ms");
}

static void test_interrupt(void **state)
{
    fixture *f = *state;
    next_plan.stop_after = 2;
    explore(f, ALL);
    assert_int_equal(f->result.verdict, REP_VERDICT_INCOMPLETE);
    assert_string_equal(f->result.stopped, "interrupted");
}

static void test_random_is_a_sample(void **state)
{
    fixture *f = *state;
    explore(f, (ses_opts){.search = "random", .runs = 200, .seed = 7, .census = true});
    assert_int_equal(f->result.verdict, REP_VERDICT_INCOMPLETE);
    assert_int_equal(f->result.runs, 200);
    td_id digest = f->result.digest;
    explore(f, ALL);
    assert_true(td_id_equal(digest, f->result.digest));
    /* Unless asked it counts runs only. */
    explore(f, (ses_opts){.search = "random", .runs = 200, .seed = 7});
    assert_int_equal(f->result.runs, 200);
    assert_int_equal(f->result.events, 0);
    assert_int_equal(f->result.traces, 0);
}

static void test_unknown_search(void **state)
{
    fixture *f = *state;
    ses_opts opts = {.argv = f->argv, .search = "some", .out_dir = f->dir, .quiet = true};
    assert_int_equal(ses_run(&opts, &fake_exec, &f->result, &f->diag), TD_E_USAGE);
    assert_non_null(strstr(f->diag.text, "random"));
}

/* ---- searches ---- */

static ses_opts with_fake(void)
{
    return (ses_opts){.fake_search = &fake_search};
}

/* It waits for each of its jobs, and the session has room for many. */
static void test_search_that_waits(void **state)
{
    fixture *f = *state;
    explore(f, with_fake());
    assert_int_equal(f->result.verdict, REP_VERDICT_COMPLETE);
    assert_int_equal(f->result.runs, 20);
    assert_true(printed(f, "COMPLETE: every local state of every thread was reached;"));
}

static void test_search_that_counts(void **state)
{
    fixture *f = *state;
    explore(f, with_fake());
    assert_int_equal(f->result.events, 1020);
    assert_int_equal(f->result.digest.lo, 5);
    assert_int_equal(f->result.traces, 0);
    assert_true(printed(f, "covered      1,020 events"));
    assert_false(printed(f, "trace"));
}

static void test_progress_counts(void **state)
{
    fixture *f = *state;
    char *said = NULL;
    size_t len = 0;
    next_plan.tick_ms = 500;
    ses_opts opts = with_fake();
    opts.argv = f->argv;
    opts.out_dir = f->dir;
    opts.out = open_memstream(&f->text, &f->text_len);
    opts.err = open_memstream(&said, &len);
    assert_int_equal(ses_run(&opts, &fake_exec, &f->result, &f->diag), TD_OK);
    fclose(opts.out);
    fclose(opts.err);
    assert_non_null(strstr(said, "search fake"));
    assert_non_null(strstr(said, " runs, "));
    assert_non_null(strstr(said, "; 1,0"));
    assert_null(strstr(said, " 0 events"));
    free(said);
}

/* A finding takes the runs in flight out of the way, and the search goes on after it. */
static void test_search_goes_on(void **state)
{
    fixture *f = *state;
    next_plan.fails = true;
    ses_opts opts = with_fake();
    opts.keep_going = true;
    explore(f, opts);
    assert_int_equal(f->result.runs, 20);
    assert_null(f->result.stopped);
}

static void test_search_that_sticks(void **state)
{
    fixture *f = *state;
    next_script.stuck = true;
    explore(f, with_fake());
    assert_int_equal(f->result.verdict, REP_VERDICT_INCOMPLETE);
    assert_string_equal(f->result.stopped, "search: some targets could not be executed");
    assert_true(printed(f, "ledger       x1 search: some targets"));
    assert_false(printed(f, "COMPLETE: every"));
}

static void test_search_with_gaps(void **state)
{
    fixture *f = *state;
    next_script.gap = (xpl_gap){"depth", "schedules longer than 100 operations", 12345};
    explore(f, with_fake());
    assert_int_equal(f->result.verdict, REP_VERDICT_INCOMPLETE);
    assert_string_equal(f->result.stopped, "schedules longer than 100 operations");
    assert_true(printed(f, "x12,345 depth: schedules longer than 100"));

    next_script.stuck = true;
    ses_opts opts = with_fake();
    opts.runs = 20;
    explore(f, opts);
    assert_string_equal(f->result.stopped, "run limit 20");
    assert_true(printed(f, "x12,345 depth: schedules longer than 100"));
    assert_false(printed(f, "x1 search"));
}

static void test_search_options(void **state)
{
    fixture *f = *state;
    explore(f, with_fake());
    assert_int_equal(next_script.seen.depth, 100000);
    assert_false(next_script.seen.bounded);
    assert_non_null(next_script.seen.namer);
    ses_opts opts = with_fake();
    opts.depth = 50;
    explore(f, opts);
    assert_int_equal(next_script.seen.depth, 50);
}

static void refused(fixture *f, ses_opts opts, const char *why)
{
    opts.argv = f->argv;
    opts.out_dir = f->dir;
    opts.quiet = true;
    f->diag = (td_diag){0};
    assert_int_equal(ses_run(&opts, &fake_exec, &f->result, &f->diag), TD_E_USAGE);
    assert_string_equal(f->diag.text, why);
}

static void test_search_refuses_bound(void **state)
{
    fixture *f = *state;
    ses_opts opts = with_fake();
    opts.bounded = true;
    refused(f, opts, "the search fake does not support --preemptions");
    opts = (ses_opts){.bounded = true, .search = "random"};
    refused(f, opts, "the search random does not support --preemptions");
    opts = (ses_opts){.iterate = true, .search = "pct"};
    refused(f, opts, "the search pct does not support --iterate");
}

static void test_search_of_another_goal(void **state)
{
    fixture *f = *state;
    ses_opts opts = with_fake();
    opts.goal = "traces";
    explore(f, opts);
    assert_int_equal(f->result.verdict, REP_VERDICT_INCOMPLETE);
    assert_string_equal(f->result.stopped, "the search fake does not cover all traces");
}

/* A bound on preemptions asks for another search only if that of the goal does not know them; what
 * it left out is told. */
static void test_default_search(void **state)
{
    fixture *f = *state;
    explore(f, (ses_opts){.goal = "traces"});
    assert_int_equal(f->result.runs, 2);
    assert_int_equal(f->result.traces, 2);
    assert_true(printed(f, "COMPLETE: every trace was run; there is no"));
    explore(f, (ses_opts){.goal = "traces", .search = "all"});
    assert_int_equal(f->result.runs, N_INTERLEAVINGS);
    assert_int_equal(f->result.traces, 2);
    assert_true(printed(f, "COMPLETE: every interleaving was run; there is no"));
    explore(f, (ses_opts){.goal = "traces", .bounded = true, .preemptions = 0});
    assert_int_equal(f->result.runs, 2);
    assert_true(printed(f, "COMPLETE: every trace was run; there is no"));
    explore(f, (ses_opts){.goal = "races", .bounded = true, .preemptions = 0});
    assert_int_equal(f->result.verdict, REP_VERDICT_INCOMPLETE);
    assert_string_equal(f->result.stopped, "at most 0 preemptions");
    assert_true(printed(f, "PREEMPTIONS: every interleaving with at most 0 preemptions"));
}

static void test_json(void **state)
{
    fixture *f = *state;
    char path[96];
    snprintf(path, sizeof path, "%s/result.json", f->dir);
    explore(f, (ses_opts){.search = "all", .json = path});
    td_text text = {0};
    assert_int_equal(td_file_read(path, 1 << 20, &text, NULL), TD_OK);
    assert_non_null(strstr(text.at, "\"verdict\""));
    td_text_fini(&text);
}

/* ---- replay ---- */

static ses_replay_result replay(fixture *f, uint32_t times)
{
    ses_replay_opts opts = {.path = f->result.recordings.at[0],
                            .times = times,
                            .quiet = true};
    free(f->text);
    f->text = NULL;
    opts.out = open_memstream(&f->text, &f->text_len);
    char *said = NULL;
    size_t said_len = 0;
    opts.err = open_memstream(&said, &said_len);
    ses_replay_result result;
    td_status status = ses_replay(&opts, &fake_exec, &result, &f->diag);
    fclose(opts.out);
    fclose(opts.err);
    free(said);
    assert_int_equal(status, TD_OK);
    return result;
}

static void test_replay_shows(void **state)
{
    fixture *f = *state;
    next_plan.fails = true;
    explore(f, ALL);
    ses_replay_result r = replay(f, 100);
    assert_int_equal(r.n_times, 100);
    assert_int_equal(r.n_shown, 100);
    assert_true(printed(f, "SUMMARY"));
}

/* The inputs of the failing run go into its replays and its recording. */
static void test_replay_with_inputs(void **state)
{
    fixture *f = *state;
    next_plan = (plan){.fails = true, .asks = true};
    explore(f, (ses_opts){.search = "all", .keep_going = true});
    assert_int_equal(f->result.verdict, REP_VERDICT_BUG);
    assert_int_equal(f->result.findings.len, 1);
    assert_int_equal(f->result.runs, 8 * N_INTERLEAVINGS);
    assert_int_equal(f->result.inputs, 1);
    assert_string_equal(f->result.shown_inputs.at[0].condition, "n == 6");
    assert_true(printed(f, "INPUT      n = 6\n           fails when n == 6\n"));
    assert_true(printed(f, "for every"));

    td_text text = {0};
    assert_int_equal(td_file_read(f->result.recordings.at[0], 1 << 20, &text, NULL),
                     TD_OK);
    assert_non_null(strstr(text.at, "\ninput n u3 6 000000000000004d\n"));
    td_text_fini(&text);
    assert_int_equal(replay(f, 3).n_shown, 3);
    assert_true(printed(f, "INPUT      n = 6\n           fails when n == 6\n"));
}

static void test_replay_of_cured_program(void **state)
{
    fixture *f = *state;
    next_plan.fails = true;
    explore(f, ALL);
    next_plan.fails = false;
    assert_int_equal(replay(f, 1).n_shown, 0);
    next_plan.diverges = true;
    assert_int_equal(replay(f, 1).n_shown, 0);
}

static void test_replay_of_nothing(void **state)
{
    fixture *f = *state;
    ses_replay_opts opts = {.path = "no/such/recording"};
    ses_replay_result r;
    assert_int_not_equal(ses_replay(&opts, &fake_exec, &r, &f->diag), TD_OK);
    assert_string_not_equal(f->diag.text, "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_complete),
        TEST(test_full_ring_changes_nothing),
        TEST(test_bug_stops),
        TEST(test_kept_before_it_is_explained),
        TEST(test_kept_and_taken_back),
        TEST(test_explained_in_time),
        TEST(test_keep_going),
        TEST(test_repeat_compares),
        TEST(test_drifting_program),
        TEST(test_drift_explained),
        TEST(test_unconfirmed_is_no_finding),
        TEST(test_unconfirmed_is_a_gap),
        TEST(test_lost_is_incomplete),
        TEST(test_run_limit),
        TEST(test_time_limit),
        TEST(test_interrupt),
        TEST(test_random_is_a_sample),
        TEST(test_unknown_search),
        TEST(test_search_that_waits),
        TEST(test_search_that_counts),
        TEST(test_progress_counts),
        TEST(test_search_goes_on),
        TEST(test_search_that_sticks),
        TEST(test_search_with_gaps),
        TEST(test_search_options),
        TEST(test_search_refuses_bound),
        TEST(test_search_of_another_goal),
        TEST(test_default_search),
        TEST(test_json),
        TEST(test_replay_shows),
        TEST(test_replay_of_cured_program),
        TEST(test_replay_with_inputs),
        TEST(test_replay_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
