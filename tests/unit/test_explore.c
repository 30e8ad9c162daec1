/* SPDX-License-Identifier: Apache-2.0 */
/* Searches against a program that is simulated here: threads with lists of operations on
 * mutexes and variables, and inputs, run by the rules of the wire protocol. What `all` must
 * hand out is counted by a naive enumeration. */
#include "explore/core/explore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"
#include "records.h"

/* ---- the simulated program ---- */

enum { MAX_THREADS = 6, MAX_OPS = 12, MAX_MUTEXES = 4 };

typedef struct sim_op {
    uint8_t
        kind; /* WIRE_NOTE_INPUT: no operation; if its value is odd, the next is left out */
    uint64_t object; /* a mutex: 0..3; an input: its bits */
} sim_op;

/* main creates all threads and ends; neither is a choice. Threads are 1..n_threads. */
typedef struct sim {
    uint32_t n_threads;
    uint32_t n_ops[MAX_THREADS];
    sim_op ops[MAX_THREADS][MAX_OPS];
} sim;

typedef struct sim_state {
    uint32_t at[MAX_THREADS];
    uint32_t holder[MAX_MUTEXES]; /* thread, 0 none */
    uint32_t last;                /* thread that made the last choice */
    bool asleep[MAX_THREADS];     /* passed over; wire_step */
} sim_state;

/* What an input has that the job does not name. */
static const uint64_t fixed_value = 1;

static const sim_op *sim_pending(const sim *p, const sim_state *s, uint32_t thread)
{
    return &p->ops[thread - 1][s->at[thread - 1]];
}

static bool sim_enabled(const sim *p, const sim_state *s, uint32_t thread)
{
    if (thread == 0 || s->at[thread - 1] == p->n_ops[thread - 1])
        return false;
    const sim_op *op = sim_pending(p, s, thread);
    return op->kind != WIRE_LOCK || s->holder[op->object] == 0;
}

/* Who waits to do what depends on an operation sleeps no more. */
static void sim_wake(const sim *p, sim_state *s, const sim_op *op)
{
    for (uint32_t t = 1; t <= p->n_threads; t++) {
        const sim_op *own = sim_pending(p, s, t);
        bool is_over = s->at[t - 1] == p->n_ops[t - 1];
        if (!is_over && own != op && own->object == op->object &&
            !(own->kind == WIRE_LOAD && op->kind == WIRE_LOAD))
            s->asleep[t - 1] = false;
    }
}

static void sim_step(const sim *p, sim_state *s, uint32_t thread)
{
    const sim_op *op = sim_pending(p, s, thread);
    sim_wake(p, s, op);
    if (op->kind == WIRE_LOCK)
        s->holder[op->object] = thread;
    if (op->kind == WIRE_UNLOCK)
        s->holder[op->object] = 0;
    s->at[thread - 1]++;
    s->last = thread;
}

/* The next thread that is about to make an input; 0: none is. */
static uint32_t sim_inputs(const sim *p, const sim_state *s)
{
    for (uint32_t t = 1; t <= p->n_threads; t++)
        if (s->at[t - 1] < p->n_ops[t - 1] &&
            sim_pending(p, s, t)->kind == WIRE_NOTE_INPUT)
            return t;
    return 0;
}

static uint64_t sim_key(const sim_state *s, uint32_t thread)
{
    return 100 * thread + s->at[thread - 1];
}

static void sim_input(const sim *p, sim_state *s, uint32_t thread, uint64_t value)
{
    s->at[thread - 1] += 1 + (value & 1);
    if (s->at[thread - 1] > p->n_ops[thread - 1])
        s->at[thread - 1] = p->n_ops[thread - 1];
}

static bool sim_preempts(const sim *p, const sim_state *s, uint32_t thread)
{
    return s->last != thread && sim_enabled(p, s, s->last);
}

static uint32_t sim_enabled_list(const sim *p, const sim_state *s, uint32_t *out)
{
    uint32_t n = 0;
    for (uint32_t t = 1; t <= p->n_threads; t++)
        if (sim_enabled(p, s, t))
            out[n++] = t;
    return n;
}

/* The thread that ran last if it can, else the next one in rising order; 0: all sleep. */
static uint32_t sim_first(const sim *p, const sim_state *s, const uint32_t *ids,
                          uint32_t n)
{
    if (sim_enabled(p, s, s->last) && !s->asleep[s->last - 1])
        return s->last;
    for (uint32_t i = 0; i < n; i++)
        if (ids[i] > s->last && !s->asleep[ids[i] - 1])
            return ids[i];
    for (uint32_t i = 0; i < n; i++)
        if (!s->asleep[ids[i] - 1])
            return ids[i];
    return 0;
}

static void sim_record(recs *r, const sim *p, const sim_state *s, uint32_t thread,
                       const uint32_t *ids, uint32_t n)
{
    const sim_op *op = sim_pending(p, s, thread);
    wire_rec *rec = rec_op(r, op->kind, thread, 0x5000 + 8 * op->object, 0);
    rec->count = n;
    rec->flags |= sim_preempts(p, s, thread) ? WIRE_F_PREEMPTS : 0;
    wire_rec note = {.kind = WIRE_NOTE_ENABLED};
    for (uint32_t i = 0; i < n; i++)
        if (ids[i] != thread)
            note.ids[note.size++] = ids[i];
    if (note.size > 0)
        rec_vec_push(&r->v, note);
}

static uint8_t sim_end(const sim *p, const sim_state *s)
{
    for (uint32_t t = 1; t <= p->n_threads; t++)
        if (s->at[t - 1] < p->n_ops[t - 1])
            return WIRE_DONE_DEADLOCK;
    return WIRE_DONE_EXIT;
}

/* The end, with what threads wait to do. */
static void sim_done(recs *r, const sim *p, const sim_state *s, uint8_t how)
{
    uint64_t n_asleep = 0;
    for (uint32_t t = 1; t <= p->n_threads; t++) {
        n_asleep += s->asleep[t - 1];
        if (s->at[t - 1] == p->n_ops[t - 1])
            continue;
        const sim_op *op = sim_pending(p, s, t);
        wire_rec *rec = rec_note(r, WIRE_NOTE_NEXT, op->kind, t, 0);
        rec->object = 0x5000 + 8 * op->object;
        rec->count = op->kind >= WIRE_LOAD && op->kind <= WIRE_CAS_FAIL ? 4 : 0;
    }
    rec_done(r, how);
    r->v.at[r->v.len - 1].value = how == WIRE_DONE_ASLEEP ? n_asleep : 0;
}

/* The steps behind the last choice: who sleeps. */
static void sim_sleep(const xpl_job *job, size_t step, sim_state *s)
{
    for (; step < job->n_steps && job->steps[step].count == 0; step++)
        s->asleep[job->steps[step].thread - 1] = true;
}

static void sim_start(recs *r, const sim *p)
{
    for (uint32_t t = 1; t <= p->n_threads; t++) {
        rec_create(r, 0);
        r->v.at[r->v.len - 2].flags = WIRE_F_FORCED;
        r->n_choices--;
    }
    rec_end(r, 0);
}

static void sim_end_thread(recs *r, const sim *p, const sim_state *s, uint32_t thread)
{
    if (s->at[thread - 1] == p->n_ops[thread - 1])
        rec_end(r, thread);
}

/* All inputs that threads are about to make. */
static void sim_make(recs *r, const sim *p, const xpl_job *job, sim_state *s)
{
    for (uint32_t thread; (thread = sim_inputs(p, s)) > 0;) {
        uint64_t key = sim_key(s, thread), value = fixed_value;
        for (size_t i = 0; i < job->n_inputs; i++)
            if (job->inputs[i].key == key)
                value = job->inputs[i].value;
        uint8_t bits = (uint8_t)sim_pending(p, s, thread)->object;
        wire_rec *rec = rec_note(r, WIRE_NOTE_INPUT, bits, thread, value);
        rec->object = key;
        rec->count = r->n_inputs++;
        rec_text(r, "x");
        sim_input(p, s, thread, value);
        sim_end_thread(r, p, s, thread);
    }
}

/* Follows the job, then the default. */
static void sim_run(const sim *p, const xpl_job *job, recs *r)
{
    recs_clear(r);
    sim_start(r, p);
    sim_state s = {0};
    size_t step = 0;
    uint32_t taken = 0, ids[MAX_THREADS];
    for (;;) {
        sim_make(r, p, job, &s);
        uint32_t n = sim_enabled_list(p, &s, ids);
        bool following = step < job->n_steps && job->steps[step].count > 0;
        uint32_t thread = following ? job->steps[step].thread : sim_first(p, &s, ids, n);
        if (n == 0 || thread == 0) {
            sim_done(r, p, &s, n == 0 ? sim_end(p, &s) : WIRE_DONE_ASLEEP);
            return;
        }
        if (following && ++taken == job->steps[step].count) {
            step++;
            taken = 0;
            sim_sleep(job, step, &s);
        }
        if (!sim_enabled(p, &s, thread)) {
            rec_done(r, WIRE_DONE_DIVERGED);
            return;
        }
        sim_record(r, p, &s, thread, ids, following ? 0 : n);
        sim_step(p, &s, thread);
        sim_end_thread(r, p, &s, thread);
    }
}

/* ---- the naive enumeration ---- */

static uint64_t count_runs(const sim *p, const sim_state *s, uint32_t bound);

/* ... where the thread makes an input: with each of its values. */
static uint64_t count_values(const sim *p, const sim_state *s, uint32_t thread,
                             uint32_t bound)
{
    uint64_t bits = sim_pending(p, s, thread)->object, sum = 0;
    for (uint64_t value = 0; value < UINT64_C(1) << (bits > 8 ? 0 : bits); value++) {
        sim_state next = *s;
        sim_input(p, &next, thread, bits > 8 ? fixed_value : value);
        sum += count_runs(p, &next, bound);
    }
    return sum;
}

/* Interleavings with at most bound preemptions. */
static uint64_t count_runs(const sim *p, const sim_state *s, uint32_t bound)
{
    if (sim_inputs(p, s) > 0)
        return count_values(p, s, sim_inputs(p, s), bound);
    uint32_t ids[MAX_THREADS], n = sim_enabled_list(p, s, ids);
    uint64_t sum = n == 0;
    for (uint32_t i = 0; i < n; i++) {
        bool preempts = sim_preempts(p, s, ids[i]);
        if (preempts && bound == 0)
            continue;
        sim_state next = *s;
        sim_step(p, &next, ids[i]);
        sum += count_runs(p, &next, bound - (preempts && bound != UINT32_MAX));
    }
    return sum;
}

static uint64_t count_all(const sim *p, uint32_t bound)
{
    sim_state start = {0};
    return count_runs(p, &start, bound);
}

/* ---- driving a search ---- */

typedef struct outcome {
    uint64_t n_runs, n_deadlocks, n_cut, n_events, n_traces, most_preemptions;
    uint64_t n_blocked;
    uint32_t n_gaps;
    td_id digest, trace_digest;
    bool complete;
} outcome;

enum { MAX_WINDOW = 64 };

typedef struct driver {
    const sim *p;
    xpl *x;
    trc_namer *namer;
    xpl_census census;
    td_id_set signatures; /* of runs: who did what in which order, with which inputs */
    recs waiting[MAX_WINDOW];
    uint64_t ids[MAX_WINDOW];
    uint32_t n_waiting;
    trc t;
    outcome out;
} driver;

/* No run twice. */
static void driver_sign(driver *d)
{
    uint64_t words[512];
    size_t n = 0;
    for (size_t i = 0; i < d->t.ops.len; i++)
        words[n++] = d->t.ops.at[i].thread;
    for (size_t i = 0; i < d->t.inputs.len; i++) {
        words[n++] = d->t.inputs.at[i].key;
        words[n++] = d->t.inputs.at[i].value;
    }
    assert_true(td_id_set_add(&d->signatures, td_id_hash(words, n * sizeof words[0])));
}

static void driver_feed(driver *d, uint32_t i)
{
    td_diag diag = {0};
    if (recs_decode(&d->waiting[i], &d->t, &diag) != TD_OK)
        fail_msg("%s", diag.text);
    d->t.job = d->ids[i];
    trc_identify(&d->t, d->namer);
    assert_true(trc_valid(&d->t, NULL, 0));
    assert_int_not_equal(d->t.done, WIRE_DONE_DIVERGED);
    xpl_census_add(&d->census, &d->t);
    if (strcmp(d->x->search->name, "all") == 0)
        driver_sign(d);
    d->out.n_runs++;
    d->out.n_deadlocks += d->t.done == WIRE_DONE_DEADLOCK;
    if (trc_preemptions(&d->t) > d->out.most_preemptions)
        d->out.most_preemptions = trc_preemptions(&d->t);
    d->x->search->feed(d->x, &d->t);

    d->n_waiting--;
    recs spare = d->waiting[i];
    d->waiting[i] = d->waiting[d->n_waiting];
    d->waiting[d->n_waiting] = spare;
    d->ids[i] = d->ids[d->n_waiting];
}

/* Up to window jobs are under way; they come back in random order. */
static outcome drive(const sim *p, const char *search, const xpl_opts *opts,
                     uint32_t window)
{
    const xpl_search *found = xpl_search_find(search);
    driver *d = td_alloc(sizeof *d);
    d->p = p;
    d->x = found->new (opts);
    d->namer = trc_namer_new(NULL, 0);
    trc_init(&d->t);
    td_rng rng = {window};
    for (;;) {
        xpl_job job;
        while (d->n_waiting < window && found->next(d->x, &job)) {
            assert_false(found->complete(d->x));
            d->ids[d->n_waiting] = job.id;
            sim_run(p, &job, &d->waiting[d->n_waiting++]);
        }
        if (d->n_waiting == 0)
            break;
        driver_feed(d, (uint32_t)td_rng_below(&rng, d->n_waiting));
    }
    outcome out = d->out;
    out.complete = found->complete(d->x);
    xpl_gap gap = {0};
    out.n_gaps = (uint32_t)xpl_gaps(d->x, &gap, 1);
    out.n_cut = gap.count;
    assert_int_equal(xpl_gaps(d->x, &gap, 0), 0);
    out.n_events = d->census.events.len;
    out.n_traces = d->census.traces.len;
    out.n_blocked = d->census.n_blocked;
    out.digest = d->census.digest;
    out.trace_digest = d->census.trace_digest;
    assert_int_equal(d->census.n_runs, out.n_runs);
    xpl_census_fini(&d->census);
    td_id_set_fini(&d->signatures);
    for (uint32_t i = 0; i < MAX_WINDOW; i++)
        recs_fini(&d->waiting[i]);
    trc_fini(&d->t);
    trc_namer_free(d->namer);
    found->free(d->x);
    td_free(d);
    return out;
}

static const xpl_opts unbounded = {0};

/* Threads of n operations each, every thread on a variable of its own. */
static sim independent(uint32_t n_threads, uint32_t n)
{
    sim p = {.n_threads = n_threads};
    for (uint32_t t = 0; t < n_threads; t++) {
        p.n_ops[t] = n;
        for (uint32_t i = 0; i < n; i++)
            p.ops[t][i] = (sim_op){WIRE_STORE, 10 + t};
    }
    return p;
}

/* ---- all ---- */

static void test_all_binomial(void **state)
{
    (void)state;
    static const uint64_t binomial[] = {1, 2, 6, 20, 70, 252, 924, 3432};
    for (uint32_t n = 1; n <= 7; n++) {
        sim p = independent(2, n);
        outcome out = drive(&p, "all", &unbounded, 1);
        assert_int_equal(out.n_runs, binomial[n]);
        assert_true(out.complete);
        assert_int_equal(out.n_traces, 1);
        /* two creates, three ends, and the stores */
        assert_int_equal(out.n_events, 2 + 3 + 2 * n);
        assert_int_equal(out.n_cut, 0);
    }
}

static void test_all_multinomial(void **state)
{
    (void)state;
    sim p = independent(3, 2);
    assert_int_equal(drive(&p, "all", &unbounded, 1).n_runs, 90);
    p = independent(3, 3);
    assert_int_equal(drive(&p, "all", &unbounded, 7).n_runs, 1680);
    p = independent(4, 2);
    assert_int_equal(drive(&p, "all", &unbounded, 1).n_runs, 2520);
    p = independent(1, 5);
    assert_int_equal(drive(&p, "all", &unbounded, 1).n_runs, 1);
    p = independent(6, 1);
    assert_int_equal(drive(&p, "all", &unbounded, 64).n_runs, 720);
}

/* n threads with one critical section each. */
static sim locking(uint32_t n_threads)
{
    sim p = {.n_threads = n_threads};
    for (uint32_t t = 0; t < n_threads; t++) {
        p.n_ops[t] = 3;
        p.ops[t][0] = (sim_op){WIRE_LOCK, 0};
        p.ops[t][1] = (sim_op){WIRE_STORE, 9};
        p.ops[t][2] = (sim_op){WIRE_UNLOCK, 0};
    }
    return p;
}

static void test_all_lock(void **state)
{
    (void)state;
    sim p = locking(3);
    outcome out = drive(&p, "all", &unbounded, 1);
    assert_int_equal(out.n_runs, 6);
    assert_int_equal(out.n_traces, 6);
    assert_true(out.complete);
    assert_int_equal(out.n_runs, count_all(&p, UINT32_MAX));
}

static void test_all_deadlock(void **state)
{
    (void)state;
    sim p = {.n_threads = 2, .n_ops = {4, 4}};
    for (uint32_t t = 0; t < 2; t++) {
        p.ops[t][0] = (sim_op){WIRE_LOCK, t};
        p.ops[t][1] = (sim_op){WIRE_LOCK, 1 - t};
        p.ops[t][2] = (sim_op){WIRE_UNLOCK, 1 - t};
        p.ops[t][3] = (sim_op){WIRE_UNLOCK, t};
    }
    outcome out = drive(&p, "all", &unbounded, 3);
    assert_int_equal(out.n_runs, count_all(&p, UINT32_MAX));
    assert_int_equal(out.n_deadlocks, 2);
    assert_int_equal(out.n_traces, 3);
    assert_true(out.complete);
}

static sim random_sim(td_rng *rng)
{
    sim p = {.n_threads = 2 + (uint32_t)td_rng_below(rng, 2)};
    for (uint32_t t = 0; t < p.n_threads; t++) {
        uint32_t n = 0;
        while (n < 4) {
            uint64_t what = td_rng_below(rng, 5);
            if (what == 0) {
                uint64_t mutex = td_rng_below(rng, 2);
                p.ops[t][n++] = (sim_op){WIRE_LOCK, mutex};
                p.ops[t][n++] = (sim_op){WIRE_LOAD, 10};
                p.ops[t][n++] = (sim_op){WIRE_UNLOCK, mutex};
            } else {
                p.ops[t][n++] =
                    (sim_op){what < 3 ? WIRE_LOAD : WIRE_RMW, 10 + td_rng_below(rng, 2)};
            }
        }
        p.n_ops[t] = p.n_threads == 3 && n > 4 ? 4 : n;
    }
    return p;
}

/* Exactly the interleavings that the naive enumeration has, whatever is under way at
 * once; the digest is the same each time. */
static void test_all_random_programs(void **state)
{
    (void)state;
    td_rng rng = {5};
    for (int round = 0; round < 12; round++) {
        sim p = random_sim(&rng);
        uint64_t expected = count_all(&p, UINT32_MAX);
        outcome one = drive(&p, "all", &unbounded, 1);
        outcome many = drive(&p, "all", &unbounded, 2 + (uint32_t)td_rng_below(&rng, 60));
        assert_int_equal(one.n_runs, expected);
        assert_int_equal(many.n_runs, expected);
        assert_int_equal(one.n_events, many.n_events);
        assert_int_equal(one.n_traces, many.n_traces);
        assert_true(td_id_equal(one.digest, many.digest));
        assert_true(one.complete && many.complete);
    }
}

static void test_all_preemptions(void **state)
{
    (void)state;
    td_rng rng = {9};
    for (int round = 0; round < 8; round++) {
        sim p = random_sim(&rng);
        uint64_t before = 0;
        for (uint32_t bound = 0; bound < 5; bound++) {
            xpl_opts opts = {.bounded = true, .preemptions = bound};
            outcome out = drive(&p, "all", &opts, 1 + round);
            assert_int_equal(out.n_runs, count_all(&p, bound));
            assert_true(out.most_preemptions <= bound);
            assert_true(out.complete && out.n_runs >= before);
            assert_int_equal(out.n_gaps, out.n_cut > 0);
            assert_int_equal(out.n_cut > 0, out.n_runs < count_all(&p, UINT32_MAX));
            before = out.n_runs;
        }
    }
    sim p = independent(2, 3);
    xpl_opts opts = {.bounded = true};
    outcome out = drive(&p, "all", &opts, 1);
    assert_int_equal(out.n_runs, 2);
    assert_true(out.n_cut > 0);
}

static void test_all_runs_bound(void **state)
{
    (void)state;
    sim p = independent(2, 5);
    xpl_opts opts = {.runs = 100};
    outcome out = drive(&p, "all", &opts, 8);
    assert_int_equal(out.n_runs, 100);
    assert_false(out.complete);
    opts.runs = 252;
    out = drive(&p, "all", &opts, 8);
    assert_int_equal(out.n_runs, 252);
    assert_true(out.complete);
}

/* ---- all: inputs ---- */

/* Every thread makes an input and then n operations, of which an odd value drops one. */
static sim with_inputs(uint32_t n_threads, uint32_t n, uint32_t bits)
{
    sim p = independent(n_threads, n + 1);
    for (uint32_t t = 0; t < n_threads; t++)
        p.ops[t][0] = (sim_op){WIRE_NOTE_INPUT, bits};
    return p;
}

static void test_all_values(void **state)
{
    (void)state;
    sim p = with_inputs(1, 1, 1);
    outcome out = drive(&p, "all", &unbounded, 1);
    assert_int_equal(out.n_runs, 2);
    assert_true(out.complete);
    p = with_inputs(1, 2, 8);
    assert_int_equal(drive(&p, "all", &unbounded, 1).n_runs, 256);
    /* 2 x 2 values of 4 choose 1 each; 1 + 2 * 1 + 2 interleavings */
    p = with_inputs(2, 1, 2);
    assert_int_equal(drive(&p, "all", &unbounded, 5).n_runs, 4 * (1 + 1 + 1 + 2));
    /* an input behind an operation: values for each order */
    p = independent(2, 2);
    p.ops[1][1] = (sim_op){WIRE_NOTE_INPUT, 3};
    assert_int_equal(drive(&p, "all", &unbounded, 1).n_runs, 3 * 8);
}

/* They keep their value, and it is said. */
static void test_all_wide(void **state)
{
    (void)state;
    sim p = with_inputs(2, 2, 9);
    p.ops[1][0].object = 2;
    outcome out = drive(&p, "all", &unbounded, 4);
    assert_int_equal(out.n_runs, count_all(&p, UINT32_MAX));
    assert_int_equal(out.n_gaps, 1);
    assert_true(out.n_cut > 0 && out.complete);
    p.ops[0][0].object = 8;
    out = drive(&p, "all", &unbounded, 4);
    assert_int_equal(out.n_gaps, 0);
}

static sim random_inputs(td_rng *rng)
{
    sim p = random_sim(rng);
    for (uint32_t n = 1 + (uint32_t)td_rng_below(rng, 3); n > 0; n--) {
        uint32_t t = (uint32_t)td_rng_below(rng, p.n_threads);
        uint32_t at = (uint32_t)td_rng_below(rng, p.n_ops[t] + 1);
        for (uint32_t i = p.n_ops[t]++; i > at; i--)
            p.ops[t][i] = p.ops[t][i - 1];
        uint64_t bits = td_rng_below(rng, 8) == 0 ? 60 : 1 + td_rng_below(rng, 2);
        p.ops[t][at] = (sim_op){WIRE_NOTE_INPUT, bits};
    }
    return p;
}

/* Exactly the naive enumeration, with and without a bound, whatever is under way. */
static void test_all_random_inputs(void **state)
{
    (void)state;
    td_rng rng = {11};
    for (int round = 0; round < 12; round++) {
        sim p = random_inputs(&rng);
        outcome one = drive(&p, "all", &unbounded, 1);
        outcome many = drive(&p, "all", &unbounded, 2 + (uint32_t)td_rng_below(&rng, 60));
        assert_int_equal(one.n_runs, count_all(&p, UINT32_MAX));
        assert_int_equal(many.n_runs, one.n_runs);
        assert_true(td_id_equal(one.digest, many.digest));
        assert_true(one.complete && many.complete);
        for (uint32_t bound = 0; bound < 3; bound++) {
            xpl_opts opts = {.bounded = true, .preemptions = bound};
            outcome out = drive(&p, "all", &opts, 1 + round);
            assert_int_equal(out.n_runs, count_all(&p, bound));
            assert_true(out.most_preemptions <= bound);
        }
    }
}

/* What is lost or diverges has no children, and the search is not complete. */
static void test_all_lost(void **state)
{
    (void)state;
    sim p = independent(2, 2);
    for (int how = 0; how < 2; how++) {
        xpl *x = xpl_search_find("all")->new (&unbounded);
        const xpl_search *all = x->search;
        trc t;
        trc_init(&t);
        recs r = {0};
        xpl_job job;
        uint32_t n = 0;
        while (all->next(x, &job)) {
            assert_false(all->next(x, &job) && n == 0); /* only the root */
            sim_run(&p, &job, &r);
            if (++n == 2 && how == 0) {
                all->lost(x, job.id);
                continue;
            }
            if (n == 2)
                r.v.at[r.v.len - 1].size = WIRE_DONE_DIVERGED;
            assert_int_equal(recs_decode(&r, &t, NULL), TD_OK);
            t.job = job.id;
            all->feed(x, &t);
            if (n > 1)
                break;
        }
        assert_int_equal(n, 2);
        assert_false(all->complete(x));
        all->free(x);
        trc_fini(&t);
        recs_fini(&r);
    }
}

/* A long run with a choice at every operation: memory stays in bounds, steps are right. */
static void test_all_long(void **state)
{
    (void)state;
    enum { LONG = 100000 };
    static const uint32_t lengths[] = {0,        LONG, LONG - 1, LONG,
                                       LONG - 2, LONG, LONG - 1, LONG};
    xpl *x = xpl_search_find("all")->new (&unbounded);
    trc t;
    trc_init(&t);
    recs r = {0};
    for (uint32_t round = 0; round < 8; round++) {
        xpl_job job;
        assert_true(x->search->next(x, &job));
        recs_clear(&r);
        rec_create(&r, 0);
        rec_create(&r, 0);
        r.v.at[0].flags = r.v.at[2].flags = WIRE_F_FORCED;
        r.n_choices = 0;
        for (size_t i = 0; i < job.n_steps; i++)
            for (uint32_t k = 0; k < job.steps[i].count; k++)
                rec_op(&r, WIRE_STORE, job.steps[i].thread, 0x5000, 0)->count = 0;
        assert_int_equal(r.n_choices, lengths[round]);
        for (uint32_t i = r.n_choices; i < LONG; i++) {
            uint32_t thread = 1 + i % 2;
            rec_op(&r, WIRE_STORE, thread, 0x5000, 0)->count = 2;
            rec_note(&r, WIRE_NOTE_ENABLED, 1, 3 - thread, 0);
        }
        rec_done(&r, WIRE_DONE_EXIT);
        td_diag diag = {0};
        if (recs_decode(&r, &t, &diag) != TD_OK)
            fail_msg("%s", diag.text);
        t.job = job.id;
        x->search->feed(x, &t);
    }
    x->search->free(x);
    trc_fini(&t);
    recs_fini(&r);
}

/* ---- dpor and flip ---- */

/* The same traces and events as every interleaving, each trace once. */
static outcome check_dpor(const sim *p, uint32_t window)
{
    outcome all = drive(p, "all", &unbounded, 1);
    outcome out = drive(p, "dpor", &unbounded, window);
    assert_true(out.complete);
    assert_int_equal(out.n_traces, all.n_traces);
    assert_true(td_id_equal(out.trace_digest, all.trace_digest));
    assert_true(td_id_equal(out.digest, all.digest));
    assert_int_equal(out.n_deadlocks > 0, all.n_deadlocks > 0);
    assert_int_equal(out.n_gaps, all.n_gaps);
    return out;
}

static void test_dpor_counts(void **state)
{
    (void)state;
    sim p = independent(3, 3);
    assert_int_equal(check_dpor(&p, 1).n_runs, 1);
    p = locking(3);
    assert_int_equal(check_dpor(&p, 1).n_runs, 6);
    p = locking(4);
    assert_int_equal(drive(&p, "dpor", &unbounded, 5).n_runs, 24);
}

/* Who waits for ever must get its lock in another run. */
static void test_dpor_deadlock(void **state)
{
    (void)state;
    sim p = {.n_threads = 3, .n_ops = {4, 4, 4}};
    for (uint32_t t = 0; t < 3; t++) {
        p.ops[t][0] = (sim_op){WIRE_LOCK, t};
        p.ops[t][1] = (sim_op){WIRE_LOCK, (t + 1) % 3};
        p.ops[t][2] = (sim_op){WIRE_UNLOCK, (t + 1) % 3};
        p.ops[t][3] = (sim_op){WIRE_UNLOCK, t};
    }
    assert_true(check_dpor(&p, 1).n_deadlocks > 0);
    /* The second thread keeps its lock. */
    p = (sim){.n_threads = 2, .n_ops = {2, 1}};
    p.ops[0][0] = p.ops[1][0] = (sim_op){WIRE_LOCK, 0};
    p.ops[0][1] = (sim_op){WIRE_UNLOCK, 0};
    assert_int_equal(check_dpor(&p, 1).n_runs, 2);
}

/* No trace twice; more runs only by those that are stopped. */
static void test_dpor_random_programs(void **state)
{
    (void)state;
    td_rng rng = {21};
    for (int round = 0; round < 24; round++) {
        sim p = random_sim(&rng);
        outcome one = check_dpor(&p, 1);
        assert_int_equal(one.n_runs, one.n_traces + one.n_blocked);
        check_dpor(&p, 2 + (uint32_t)td_rng_below(&rng, 60));
        if (round % 4 > 0)
            continue;
        p = random_inputs(&rng);
        check_dpor(&p, 1);
        check_dpor(&p, 2 + (uint32_t)td_rng_below(&rng, 60));
    }
}

/* A run can end where all who could go on sleep: it is stopped, and no trace. */
static void test_dpor_blocked(void **state)
{
    (void)state;
    sim p = {.n_threads = 4, .n_ops = {1, 1, 1, 2}};
    p.ops[0][0] = p.ops[2][0] = p.ops[3][1] = (sim_op){WIRE_STORE, 10};
    p.ops[1][0] = (sim_op){WIRE_LOAD, 10};
    p.ops[3][0] = (sim_op){WIRE_LOAD, 11};
    outcome out = check_dpor(&p, 1);
    assert_int_equal(out.n_runs, 25);
    assert_int_equal(out.n_traces, 24);
    assert_int_equal(out.n_blocked, 1);
}

/* A store and two loads: four traces, of which flip finds three. */
static void test_flip_gap(void **state)
{
    (void)state;
    sim p = {.n_threads = 3, .n_ops = {1, 1, 1}};
    p.ops[0][0] = (sim_op){WIRE_STORE, 10};
    p.ops[1][0] = p.ops[2][0] = (sim_op){WIRE_LOAD, 10};
    assert_int_equal(check_dpor(&p, 1).n_traces, 4);
    outcome out = drive(&p, "flip", &unbounded, 1);
    assert_int_equal(out.n_runs, 3);
    assert_int_equal(out.n_traces, 3);
    assert_true(out.complete); /* nothing is left to do, but no goal is covered */
    assert_int_equal(xpl_search_find("flip")->covers, 0);
    /* Where only two threads meet nothing is missed. */
    p.n_threads = 2;
    assert_int_equal(drive(&p, "flip", &unbounded, 1).n_traces, 2);
    p = locking(2);
    assert_int_equal(drive(&p, "flip", &unbounded, 1).n_traces, 2);
}

/* Never a trace that is not one; never more than there are. */
static void test_flip_random_programs(void **state)
{
    (void)state;
    td_rng rng = {23};
    uint64_t n_missed = 0;
    for (int round = 0; round < 20; round++) {
        sim p = random_sim(&rng);
        outcome all = drive(&p, "dpor", &unbounded, 1);
        outcome out = drive(&p, "flip", &unbounded, 1 + 7 * (round % 3));
        assert_true(out.n_traces <= all.n_traces && out.n_events <= all.n_events);
        assert_int_equal(out.n_runs, out.n_traces + out.n_blocked);
        n_missed += out.n_traces < all.n_traces;
    }
    assert_true(n_missed > 0);
}

/* A lost run is a gap, and what comes after it goes on. */
static void test_dpor_lost(void **state)
{
    (void)state;
    sim p = locking(3);
    xpl *x = xpl_search_find("dpor")->new (&unbounded);
    trc t;
    trc_init(&t);
    recs r = {0};
    xpl_job job;
    uint32_t n = 0;
    while (x->search->next(x, &job)) {
        sim_run(&p, &job, &r);
        if (++n == 2) {
            x->search->lost(x, job.id);
            continue;
        }
        if (n == 3)
            r.v.at[r.v.len - 1].size = WIRE_DONE_DIVERGED;
        assert_int_equal(recs_decode(&r, &t, NULL), TD_OK);
        t.job = job.id;
        x->search->feed(x, &t);
    }
    assert_true(n >= 3);
    assert_false(x->search->complete(x));
    x->search->free(x);
    trc_fini(&t);
    recs_fini(&r);
}

/* ---- random, pct ---- */

/* Jobs of a search, fed with runs of length choices, window at a time. */
static void collect(const char *name, const xpl_opts *opts, uint32_t window, xpl_job *out,
                    uint32_t n)
{
    const xpl_search *search = xpl_search_find(name);
    xpl *x = search->new (opts);
    trc t;
    trc_init(&t);
    uint32_t handed = 0, fed = 0;
    while (fed < n) {
        while (handed < n && handed - fed < window && search->next(x, &out[handed]))
            handed++;
        assert_true(fed < handed);
        t.job = out[fed].id;
        t.n_choices = 50 + (uint32_t)(out[fed].id * 7 % 100);
        search->feed(x, &t);
        assert_false(search->complete(x));
        fed++;
    }
    assert_false(search->next(x, &(xpl_job){0}));
    xpl_gap gap;
    assert_int_equal(xpl_gaps(x, &gap, 1), 1);
    assert_non_null(strstr(gap.text, "is a sample"));
    search->free(x);
    trc_fini(&t);
}

static void same_jobs(const char *name)
{
    enum { N = 1000 };
    static xpl_job a[N], b[N], c[N];
    xpl_opts opts = {.seed = 17, .runs = N, .pct_depth = 4};
    collect(name, &opts, 1, a, N);
    collect(name, &opts, 200, b, N);
    opts.seed = 18;
    collect(name, &opts, 200, c, N);
    uint32_t n_equal = 0;
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(a[i].id, i + 1);
        assert_memory_equal(&a[i], &b[i], sizeof a[i]);
        n_equal += a[i].seed == c[i].seed || (i > 0 && a[i].seed == a[i - 1].seed);
    }
    assert_int_equal(n_equal, 0);
}

static void test_sampling_is_determined(void **state)
{
    (void)state;
    same_jobs("random");
    same_jobs("pct");
    same_jobs("pos");
    same_jobs("surw");
    same_jobs("guided");
}

static void put_op(trc *t, uint32_t thread, uint64_t object)
{
    trc_op_vec_push(&t->ops,
                    (trc_op){.kind = WIRE_STORE, .thread = thread, .object = object});
}

/* Two threads use X, twice and once; the second one Y as well, which is not shared. */
static void test_surw_learns(void **state)
{
    (void)state;
    enum { X = 0x1000, Y = 0x2000 };
    const xpl_search *search = xpl_search_find("surw");
    xpl *x = search->new (&(xpl_opts){.seed = 3, .runs = 60});
    trc t;
    trc_init(&t);
    put_op(&t, 1, X);
    put_op(&t, 1, X);
    put_op(&t, 2, X);
    put_op(&t, 2, Y);
    xpl_job job;
    assert_true(search->next(x, &job));
    assert_int_equal(job.policy, WIRE_POLICY_FIRST);
    assert_int_equal(job.n_steps, 0);
    t.job = job.id;
    assert_false(search->next(x, &job)); /* the first run is to be fed */
    search->feed(x, &t);
    uint32_t n_all = 0, n_marked = 0;
    while (search->next(x, &job)) {
        assert_int_equal(job.policy, WIRE_POLICY_SURW);
        bool is_marked = job.steps[0].thread == WIRE_STEP_MARK;
        if (is_marked)
            assert_int_equal(job.steps[0].count, wire_mark(X));
        const wire_step *left = &job.steps[is_marked];
        assert_int_equal(job.n_steps, 2 + is_marked);
        assert_int_equal(left[0].thread, WIRE_STEP_LEFT + 1);
        assert_int_equal(left[0].count, 2);
        assert_int_equal(left[1].thread, WIRE_STEP_LEFT + 2);
        assert_int_equal(left[1].count, is_marked ? 1 : 2);
        n_marked += is_marked;
        n_all += !is_marked;
    }
    assert_int_equal(n_all + n_marked, 59);
    assert_true(n_marked >= 15 && n_marked <= 45);
    search->free(x);
    trc_fini(&t);
}

static void test_pct_learns(void **state)
{
    (void)state;
    static xpl_job jobs[300];
    xpl_opts opts = {.seed = 1, .runs = 300};
    collect("pct", &opts, 10, jobs, 300);
    assert_int_equal(jobs[0].policy, WIRE_POLICY_FIRST);
    assert_int_equal(jobs[1].policy, WIRE_POLICY_PCT);
    assert_int_equal(jobs[1].pct_depth, 3);
    assert_int_equal(jobs[1].pct_length, 57);
    assert_int_equal(jobs[63].pct_length, 57);
    assert_int_equal(jobs[64].pct_length, 149);
    collect("random", &opts, 10, jobs, 300);
    assert_int_equal(jobs[0].policy, WIRE_POLICY_RANDOM);
    assert_int_equal(jobs[299].flags, WIRE_JOB_WAKE);
}

static void test_searches(void **state)
{
    (void)state;
    assert_null(xpl_search_find("none"));
    uint32_t n = 0;
    for (const xpl_search *const *s = xpl_searches(); *s; s++, n++) {
        assert_ptr_equal(xpl_search_find((*s)->name), *s);
        assert_true((*s)->text[0] != 0);
    }
    assert_true(n >= 3);
    for (const xpl_search *const *s = xpl_searches(); *s; s++) {
        assert_true(!(*s)->iterates || (*s)->takes_preemptions);
        assert_int_equal((*s)->takes_preemptions, (*s)->preemptions != NULL);
    }
    assert_null(xpl_goal_find("none"));
    for (const xpl_goal *g = xpl_goals(); g->name; g++) {
        assert_ptr_equal(xpl_goal_find(g->name), g);
        assert_true(xpl_search_find(g->search)->covers & g->bit);
        assert_true(xpl_search_find("all")->covers & g->bit);
    }
}

/* ---- census ---- */

static void test_census(void **state)
{
    (void)state;
    xpl_census c = {0};
    trc t;
    trc_init(&t);
    trc_namer *namer = trc_namer_new(NULL, 0);
    recs r = {0};
    rec_create(&r, 0);
    rec_op(&r, WIRE_STORE, 1, 0x5000, 0);
    rec_end(&r, 1);
    rec_op(&r, WIRE_JOIN, 0, 0, 1);
    rec_done(&r, WIRE_DONE_EXIT);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(recs_decode(&r, &t, NULL), TD_OK);
        trc_identify(&t, namer);
        xpl_census_add(&c, &t);
    }
    assert_int_equal(c.events.len, 4);
    assert_int_equal(c.traces.len, 1);
    assert_int_equal(c.n_ops, 12);
    assert_int_equal(c.n_blocked, 0);
    /* The join and the end do not count. */
    assert_true(td_id_equal(c.digest, td_id_sum(t.ops.at[0].id, t.ops.at[1].id)));

    recs_clear(&r);
    rec_done(&r, WIRE_DONE_DEPTH);
    assert_int_equal(recs_decode(&r, &t, NULL), TD_OK);
    trc_identify(&t, namer);
    xpl_census_add(&c, &t);
    assert_int_equal(c.traces.len, 2);
    assert_int_equal(c.n_blocked, 1);
    assert_int_equal(c.n_runs, 4);
    xpl_census_count(&c, &t);
    assert_int_equal(c.n_blocked, 2);
    assert_int_equal(c.n_runs, 5);
    assert_int_equal(c.traces.len, 2);
    xpl_census_fini(&c);
    trc_namer_free(namer);
    trc_fini(&t);
    recs_fini(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_binomial),
        cmocka_unit_test(test_all_multinomial),
        cmocka_unit_test(test_all_lock),
        cmocka_unit_test(test_all_deadlock),
        cmocka_unit_test(test_all_random_programs),
        cmocka_unit_test(test_all_preemptions),
        cmocka_unit_test(test_all_runs_bound),
        cmocka_unit_test(test_all_values),
        cmocka_unit_test(test_all_wide),
        cmocka_unit_test(test_all_random_inputs),
        cmocka_unit_test(test_all_lost),
        cmocka_unit_test(test_all_long),
        cmocka_unit_test(test_dpor_counts),
        cmocka_unit_test(test_dpor_deadlock),
        cmocka_unit_test(test_dpor_random_programs),
        cmocka_unit_test(test_dpor_blocked),
        cmocka_unit_test(test_dpor_lost),
        cmocka_unit_test(test_flip_gap),
        cmocka_unit_test(test_flip_random_programs),
        cmocka_unit_test(test_sampling_is_determined),
        cmocka_unit_test(test_pct_learns),
        cmocka_unit_test(test_surw_learns),
        cmocka_unit_test(test_searches),
        cmocka_unit_test(test_census),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
