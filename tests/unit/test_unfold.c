/* SPDX-License-Identifier: Apache-2.0 */
/* The unfolding of simulated programs: figures of the 2014 paper with all their events and
 * relations; random programs against the naive search and all interleavings. */
#include "unfold/unfold.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "explore/core/explore.h"
#include "explore/unfold/tails.h"
#include "naive.h"
#include "sim.h"
#include "unfold/unfold_int.h"

/* ---- a program, its runs and what is known of it ---- */

typedef struct lab {
    const sim *p;
    trc_namer *namer;
    unf *u;
    unf_cfg *plan;
    naive *n;
    bool is_naive; /* the naive search keeps up */
    trc t;
    recs r;
    trc_step_vec steps;
    unf_vec todo;
    uint32_t n_runs;
    void (*touch)(trc *t); /* adds plain accesses to a run, NULL */
    unf_vec suspect;       /* with touch: the last one ... */
    unf_vec racing;        /* ... and all of them */
} lab;

static void lab_init(lab *l, const sim *p)
{
    *l = (lab){.p = p, .is_naive = true};
    l->namer = trc_namer_new(NULL, 0);
    l->u = unf_new(l->namer, NULL);
    l->u->many = 1;  /* groups are parted all the time */
    l->u->crowd = 0; /* and ends are found by walks where these are not given up */
    l->plan = unf_cfg_new(l->u);
    l->n = naive_new();
    trc_init(&l->t);
}

static void lab_fini(lab *l)
{
    trc_step_vec_fini(&l->steps);
    unf_vec_fini(&l->todo);
    unf_vec_fini(&l->suspect);
    unf_vec_fini(&l->racing);
    trc_fini(&l->t);
    recs_fini(&l->r);
    naive_free(l->n);
    unf_cfg_free(l->plan);
    unf_free(l->u);
    trc_namer_free(l->namer);
}

static void lab_print(const lab *l)
{
    sim_print(l->p);
    for (size_t i = 0; i < l->t.ops.len; i++)
        fprintf(stderr, "%s thread %u object %llx\n", mdl_kind_text(l->t.ops.at[i].kind),
                l->t.ops.at[i].thread, (unsigned long long)l->t.ops.at[i].object);
    for (uint32_t i = 0; i < unf_len(l->u); i++) {
        unf_view v = unf_at(l->u, i);
        const char *text = v.kind == UNF_START  ? "START"
                           : v.kind == UNF_ROOT ? "ROOT"
                                                : mdl_kind_text(v.kind);
        fprintf(stderr,
                "%3u: %s status %d probe %d thread %d object %d before %d after %d", i,
                text, v.status, v.is_probe, (int)v.thread, (int)v.object, (int)v.before,
                (int)v.after);
        for (uint32_t k = 0; k < v.n_reads; k++)
            fprintf(stderr, " +%u", v.reads[k]);
        fprintf(stderr, "\n");
    }
}

static void lab_fail(const lab *l, const char *what)
{
    lab_print(l);
    fail_msg("run %u: %s", l->n_runs, what);
}

/* The records of r become events, and everything is checked. */
static void lab_insert(lab *l)
{
    td_diag diag = {0};
    char why[200] = "";
    if (recs_decode(&l->r, &l->t, &diag) != TD_OK)
        lab_fail(l, diag.text);
    trc_identify(&l->t, l->namer);
    if (l->touch)
        l->touch(&l->t);
    unf_insert(l->u, &l->t);
    l->n_runs++;
    while (l->touch && unf_suspect(l->u, &l->suspect))
        unf_vec_append(&l->racing, l->suspect.at, l->suspect.len);
    unf_vec *found = unf_found(l->u);
    unf_vec_append(&l->todo, found->at, found->len);
    unf_vec_clear(found);
    if (!unf_valid(l->u, why, sizeof why))
        lab_fail(l, why);
    l->is_naive = l->is_naive && naive_insert(l->n, &l->t);
    if (l->is_naive && !naive_agrees(l->n, l->u, why, sizeof why))
        lab_fail(l, why);
}

/* Runs the plan; a NULL rng lets threads run on. */
static void lab_run(lab *l, td_rng *rng)
{
    unf_cfg_schedule(l->plan, &l->steps);
    sim_run(l->p, l->steps.at, l->steps.len, rng, &l->r);
    lab_insert(l);
}

static bool is_open(lab *l, uint32_t target)
{
    return unf_at(l->u, target).status == UNF_TARGET && !unf_is_silent_join(l->u, target);
}

/* Removes what is not open from the list. */
static void lab_tidy(lab *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->todo.len; i++)
        if (is_open(l, l->todo.at[i]))
            l->todo.at[n++] = l->todo.at[i];
    l->todo.len = n;
}

/* Runs a target alone; it must be executed or settled. */
static void lab_cover(lab *l, uint32_t target, td_rng *rng)
{
    unf_cfg_clear(l->plan);
    unf_cfg_add(l->plan, target);
    lab_run(l, rng);
    if (unf_at(l->u, target).status == UNF_TARGET) {
        fprintf(stderr, "target %u\n", target);
        lab_fail(l, "a target was not reached");
    }
}

/* To the end, targets in random order, one at a time. */
static void lab_explore(lab *l, td_rng *rng)
{
    lab_run(l, rng);
    for (lab_tidy(l); l->todo.len > 0; lab_tidy(l)) {
        size_t i = (size_t)td_rng_below(rng, l->todo.len);
        lab_cover(l, l->todo.at[i], td_rng_below(rng, 2) ? rng : NULL);
    }
}

/* Every event that interleavings have is executed, but those that need not be. */
static void lab_compare(const lab *l, const sim_census *c)
{
    if (!td_id_equal(unf_digest(l->u), c->digest))
        lab_fail(l, "not the digest of all interleavings");
    if (l->n_runs > c->n_traces)
        lab_fail(l, "more runs than traces");
    for (uint32_t i = 0; i < unf_len(l->u); i++) {
        unf_view v = unf_at(l->u, i);
        if (v.status == UNF_EXECUTED && v.kind < WIRE_N_OPS &&
            !td_id_set_has(&c->events, v.id))
            lab_fail(l, "an event that no interleaving has");
    }
}

/* ---- named events ---- */

/* Follows a schedule given as digits, one for each choice, then lets threads run on. */
static void lab_follow(lab *l, const char *schedule)
{
    trc_step_vec_clear(&l->steps);
    for (; *schedule; schedule++)
        trc_step_add(&l->steps, (uint32_t)(*schedule - '0'));
    sim_run(l->p, l->steps.at, l->steps.len, NULL, &l->r);
    lab_insert(l);
    assert_int_not_equal(l->t.done, WIRE_DONE_DIVERGED);
}

/* The nth operation of a thread in the last run. */
static uint32_t nth(const lab *l, uint32_t thread, uint32_t n)
{
    for (size_t i = 0; i < l->t.ops.len; i++)
        if (l->t.ops.at[i].thread == thread && n-- == 0)
            return unf_find(l->u, l->t.ops.at[i].id);
    fail_msg("thread %u has too few operations", thread);
    return UNF_NONE;
}

/* What comes after a history and a state and these reads (UNF_NONE: none), 0: nothing. */
static uint32_t child(const lab *l, uint32_t before, uint32_t after, uint32_t r1,
                      uint32_t r2)
{
    uint32_t n_reads = (r1 != UNF_NONE) + (r2 != UNF_NONE);
    for (uint32_t i = 0; i < unf_len(l->u); i++) {
        unf_view v = unf_at(l->u, i);
        if (v.before != before || v.after != after || v.n_reads != n_reads ||
            v.kind == UNF_START)
            continue;
        bool found1 = r1 == UNF_NONE, found2 = r2 == UNF_NONE;
        for (uint32_t k = 0; k < v.n_reads; k++) {
            found1 |= v.reads[k] == r1;
            found2 |= v.reads[k] == r2;
        }
        if (found1 && found2)
            return i;
    }
    return 0;
}

static uint32_t root_of(const lab *l, uint32_t event)
{
    while (unf_at(l->u, event).kind != UNF_ROOT)
        event = unf_at(l->u, event).after;
    return event;
}

static uint32_t n_with(const lab *l, unf_status status)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < unf_len(l->u); i++)
        n += unf_at(l->u, i).status == status && unf_at(l->u, i).kind < WIRE_N_OPS;
    return n;
}

static bool is_target(const lab *l, uint32_t event)
{
    return event != 0 && event != UNF_NONE && unf_at(l->u, event).status == UNF_TARGET;
}

static bool is_executed(const lab *l, uint32_t event)
{
    return event != 0 && event != UNF_NONE && unf_at(l->u, event).status == UNF_EXECUTED;
}

static void assert_before(const lab *l, uint32_t a, uint32_t b)
{
    assert_true(unf_before(l->u, a, b));
    assert_false(unf_before(l->u, b, a));
    assert_false(unf_conflict(l->u, a, b));
    assert_false(unf_conflict(l->u, b, a));
    assert_false(unf_concurrent(l->u, a, b));
}

static void assert_conflict(const lab *l, uint32_t a, uint32_t b)
{
    assert_true(unf_conflict(l->u, a, b));
    assert_true(unf_conflict(l->u, b, a));
    assert_false(unf_before(l->u, a, b));
    assert_false(unf_before(l->u, b, a));
    assert_false(unf_concurrent(l->u, a, b));
}

static void assert_concurrent(const lab *l, uint32_t a, uint32_t b)
{
    assert_true(unf_concurrent(l->u, a, b));
    assert_true(unf_concurrent(l->u, b, a));
    assert_false(unf_conflict(l->u, a, b));
    assert_false(unf_before(l->u, a, b));
    assert_false(unf_before(l->u, b, a));
}

/* Main creates n threads and ends; what they do is given. */
static sim program(uint32_t n_threads, const sim_ins (*threads)[SIM_INS])
{
    sim p = {0};
    for (uint32_t t = 0; t < n_threads; t++) {
        p.ins[0][t] = (sim_ins){WIRE_CREATE, (uint8_t)(t + 1), 0, 0};
        memcpy(p.ins[t + 1], threads[t], sizeof p.ins[t + 1]);
    }
    return p;
}

/* ---- the search ---- */

typedef struct outcome {
    uint64_t n_runs, n_events, n_gaps, n_diverged, n_pairs;
    td_id digest;
    bool complete;
    xpl_preemptions preemptions;
    char said[300];
} outcome;

enum { MAX_WINDOW = 8 };

/* Up to window jobs are under way; they come back in random order. */
static outcome search_by(const xpl_search *by, const sim *p, xpl_opts opts,
                         uint32_t window)
{
    trc_namer *namer = trc_namer_new(NULL, 0);
    opts.namer = namer;
    xpl *x = by->new (&opts);
    td_rng rng = {opts.seed + window};
    recs runs[MAX_WINDOW] = {0};
    uint64_t ids[MAX_WINDOW];
    uint32_t n = 0;
    outcome out = {0};
    trc t;
    trc_init(&t);
    for (;;) {
        xpl_job job;
        while (n < window && by->next(x, &job)) {
            td_rng choices = {job.seed};
            bool random = job.policy == WIRE_POLICY_RANDOM;
            size_t n_steps = 0; /* targets of guided come behind them */
            while (n_steps < job.n_steps && job.steps[n_steps].thread < WIRE_STEP_LEFT)
                n_steps++;
            sim_run(p, job.steps, n_steps, random ? &choices : NULL, &runs[n]);
            ids[n++] = job.id;
        }
        if (n == 0)
            break;
        uint32_t i = (uint32_t)td_rng_below(&rng, n);
        assert_int_equal(recs_decode(&runs[i], &t, NULL), TD_OK);
        out.n_diverged += t.done == WIRE_DONE_DIVERGED;
        t.job = ids[i];
        trc_identify(&t, namer);
        by->feed(x, &t);
        out.n_runs++;
        recs spare = runs[i];
        runs[i] = runs[--n];
        runs[n] = spare;
        ids[i] = ids[n];
    }
    xpl_counts counts;
    xpl_gap gap;
    by->count(x, &counts);
    out.n_events = counts.events;
    out.digest = counts.digest;
    out.n_gaps = xpl_gaps(x, &gap, 1);
    out.complete = by->complete(x);
    out.n_pairs = xpl_n_pairs(x);
    if (by->preemptions)
        by->preemptions(x, &out.preemptions);
    if (by->says && by->says(x))
        snprintf(out.said, sizeof out.said, "%s", by->says(x));
    by->free(x);
    trc_namer_free(namer);
    trc_fini(&t);
    for (uint32_t i = 0; i < MAX_WINDOW; i++)
        recs_fini(&runs[i]);
    return out;
}

static outcome search(const sim *p, uint64_t seed, uint32_t window)
{
    return search_by(xpl_search_find("unfold"), p, (xpl_opts){.seed = seed}, window);
}

/* The search needs n_runs, whatever is under way at once and however it starts. */
static void assert_runs(const sim *p, uint64_t n_runs)
{
    sim_census c;
    sim_enumerate(p, 100000, &c);
    for (uint64_t seed = 0; seed < 6; seed++) {
        outcome out = search(p, seed, 1 + (uint32_t)(seed % 3));
        assert_true(out.complete);
        assert_int_equal(out.n_gaps + out.n_diverged, 0);
        if (!c.too_many)
            assert_true(td_id_equal(out.digest, c.digest));
        assert_int_equal(out.n_runs, n_runs);
    }
    sim_census_fini(&c);
}

/* ---- figures of the paper ---- */

/* Figures 1 and 7: a thread writes x or reads it, as a branch decides; another reads it and
 * goes on if it is written. Here the branch is on c, which a third thread writes. */
static void test_figure_7(void **state)
{
    (void)state;
    enum { C, X, D };
    static const sim_ins threads[][SIM_INS] = {
        {{WIRE_LOAD, C, 0, 0},
         {SIM_IF, 0, 1, 1},
         {WIRE_STORE, X, 1, 0},
         {SIM_IF, 0, 0, 1},
         {WIRE_LOAD, X, 0, 0}},
        {{WIRE_LOAD, X, 0, 0}, {SIM_IF, 0, 1, 1}, {WIRE_LOAD, D, 0, 0}},
        {{WIRE_STORE, C, 1, 0}},
    };
    sim p = program(3, threads);
    lab l;
    lab_init(&l, &p);
    lab_follow(&l, "000112"); /* both read x, then c is written */
    uint32_t r0 = nth(&l, 1, 0), x0 = nth(&l, 1, 1), t0 = nth(&l, 2, 0),
             w1 = nth(&l, 3, 0);
    uint32_t croot = root_of(&l, r0), xroot = root_of(&l, x0);
    assert_before(&l, r0, x0);
    assert_before(&l, r0, w1);
    assert_concurrent(&l, x0, t0);
    assert_concurrent(&l, w1, x0);
    assert_concurrent(&l, w1, t0);
    /* The only target is the write of c before it is read. */
    uint32_t w0 = child(&l, unf_at(l.u, w1).before, croot, UNF_NONE, UNF_NONE);
    assert_int_equal(n_with(&l, UNF_TARGET), 1);
    assert_true(is_target(&l, w0));
    assert_conflict(&l, w0, r0);
    assert_conflict(&l, w0, w1);
    assert_conflict(&l, w0, x0);

    lab_follow(&l, "0003112"); /* c is written and read, x written, then read */
    uint32_t r1 = nth(&l, 1, 0), s0 = nth(&l, 1, 1), t1 = nth(&l, 2, 0),
             d1 = nth(&l, 2, 1);
    assert_true(is_executed(&l, w0));
    assert_before(&l, w0, r1);
    assert_before(&l, r1, s0);
    assert_before(&l, s0, t1);
    assert_before(&l, w0, d1);
    assert_conflict(&l, r0, r1);
    assert_conflict(&l, s0, t0);
    assert_conflict(&l, x0, s0);
    assert_conflict(&l, t0, t1);
    assert_conflict(&l, w1, t1);
    assert_concurrent(&l, w0, t0);
    /* The write of x after it was read by thread 2; by thread 1 it cannot be. */
    uint32_t s1 = child(&l, r1, xroot, t0, UNF_NONE);
    assert_int_equal(n_with(&l, UNF_TARGET), 1);
    assert_true(is_target(&l, s1));
    assert_before(&l, t0, s1);
    assert_conflict(&l, s0, s1);

    lab_cover(&l, s1, NULL);
    assert_int_equal(n_with(&l, UNF_TARGET), 0);
    assert_true(naive_relates(l.n, l.u, (char[99]){0}, 99));
    /* Three creates, four ends of threads 0 and 3, and those with names. */
    assert_int_equal(unf_lost(l.u).surprises, 0);
    lab_fini(&l);
    assert_runs(&p, 3);
}

/* Figure 2: two threads read x, then write y. Two runs, however the first one goes: where
 * dynamic partial order reduction may need three. */
static void test_figure_2(void **state)
{
    (void)state;
    enum { X, Y };
    static const sim_ins threads[][SIM_INS] = {
        {{WIRE_LOAD, X, 0, 0}, {WIRE_STORE, Y, 1, 0}},
        {{WIRE_LOAD, X, 0, 0}, {WIRE_STORE, Y, 2, 0}},
    };
    sim p = program(2, threads);
    static const char *const firsts[] = {"001212", "001122"};
    for (int i = 0; i < 2; i++) {
        lab l;
        lab_init(&l, &p);
        lab_follow(&l, firsts[i]);
        uint32_t r1 = nth(&l, 1, 0), w1 = nth(&l, 1, 1);
        uint32_t r2 = nth(&l, 2, 0), w2 = nth(&l, 2, 1);
        assert_concurrent(&l, r1, r2);
        assert_concurrent(&l, w1, r2);
        assert_before(&l, r1, w2);
        assert_before(&l, w1, w2);
        uint32_t other = child(&l, r2, root_of(&l, w1), UNF_NONE, UNF_NONE);
        assert_int_equal(n_with(&l, UNF_TARGET), 1);
        assert_true(is_target(&l, other));
        assert_conflict(&l, other, w1);
        assert_conflict(&l, other, w2);
        assert_concurrent(&l, other, r1);
        lab_cover(&l, other, NULL);
        assert_int_equal(n_with(&l, UNF_TARGET), 0);
        assert_true(is_executed(&l, child(&l, r1, other, UNF_NONE, UNF_NONE)));
        assert_int_equal(l.n_runs, 2);
        lab_fini(&l);
    }
    assert_runs(&p, 2);
}

/* Figure 4: a place is marked at first, and again after a transition; what takes its token
 * comes after the first marking in conflict with the second, or after the second. The place
 * is a mutex: one thread locks and unlocks it, the other locks it for ever. */
static void test_figure_4(void **state)
{
    (void)state;
    static const sim_ins threads[][SIM_INS] = {
        {{WIRE_LOCK, 0, 0, 0}, {WIRE_UNLOCK, 0, 0, 0}},
        {{WIRE_LOCK, 0, 0, 0}},
    };
    sim p = program(2, threads);
    lab l;
    lab_init(&l, &p);
    lab_follow(&l, "00112");
    uint32_t take = nth(&l, 1, 0), back = nth(&l, 1, 1), right = nth(&l, 2, 0);
    uint32_t root = root_of(&l, take), start = unf_at(l.u, right).before;
    uint32_t left = child(&l, start, root, UNF_NONE, UNF_NONE);
    assert_int_equal(n_with(&l, UNF_TARGET), 1);
    assert_true(is_target(&l, left));
    assert_before(&l, take, back);
    assert_before(&l, back, right);
    assert_conflict(&l, back, left);
    assert_conflict(&l, take, left);
    assert_conflict(&l, left, right);
    assert_int_equal(child(&l, start, take, UNF_NONE, UNF_NONE), 0); /* it is held */
    /* The first thread waits for ever. */
    lab_cover(&l, left, NULL);
    assert_int_equal(l.t.done, WIRE_DONE_DEADLOCK);
    assert_int_equal(n_with(&l, UNF_TARGET), 0);
    lab_fini(&l);
    assert_runs(&p, 2);
}

/* Figure 9 and example 2. */
static void test_figure_9(void **state)
{
    (void)state;
    enum { X, E };
    static const sim_ins threads[][SIM_INS] = {
        {{WIRE_LOAD, X, 0, 0}, {SIM_IF, 0, 1, 1}, {WIRE_LOAD, E, 0, 0}},
        {{WIRE_LOAD, X, 0, 0}, {SIM_IF, 0, 0, 1}, {WIRE_STORE, X, 1, 0}},
    };
    sim p = program(2, threads);
    lab l;
    lab_init(&l, &p);
    lab_follow(&l, "00122");
    uint32_t e1 = nth(&l, 1, 0), e2 = nth(&l, 2, 0), e3 = nth(&l, 2, 1);
    uint32_t root = root_of(&l, e1), e4 = child(&l, e2, root, e2, UNF_NONE);
    assert_int_equal(e3, child(&l, e2, root, e1, e2));
    assert_int_equal(n_with(&l, UNF_TARGET), 1);
    assert_true(is_target(&l, e4));
    assert_concurrent(&l, e1, e2);
    assert_before(&l, e1, e3);
    assert_before(&l, e2, e3);
    assert_before(&l, e2, e4);
    assert_conflict(&l, e1, e4);
    assert_conflict(&l, e3, e4);
    lab_cover(&l, e4, NULL);
    uint32_t e5 = nth(&l, 1, 0), error = nth(&l, 1, 1);
    assert_int_equal(unf_at(l.u, e5).after, e4);
    assert_before(&l, e4, e5);
    assert_before(&l, e2, error);
    assert_conflict(&l, e1, e5);
    assert_conflict(&l, e3, error);
    assert_int_equal(n_with(&l, UNF_TARGET), 0);
    assert_int_equal(l.n_runs, 2);
    lab_fini(&l);
    assert_runs(&p, 2);
}

/* Figure 12: n pairs of a reader and a writer; main joins them all or none. */
static sim pairs(uint32_t n, bool joins)
{
    sim p = {0};
    uint32_t at = 0;
    for (uint32_t i = 0; i < 2 * n; i++) {
        p.ins[0][at++] = (sim_ins){WIRE_CREATE, (uint8_t)(i + 1), 0, 0};
        p.ins[i + 1][0] =
            (sim_ins){i % 2 ? WIRE_STORE : WIRE_LOAD, (uint8_t)(i / 2), 1, 0};
    }
    for (uint32_t i = 0; i < 2 * n && joins; i++)
        p.ins[0][at++] = (sim_ins){WIRE_JOIN, (uint8_t)(i + 1), 0, 0};
    return p;
}

static void test_figure_12(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 8; n++) {
        sim p = pairs(n, false);
        if (n == 2) {
            lab l;
            lab_init(&l, &p);
            lab_follow(&l, "0000");
            uint32_t r0 = nth(&l, 1, 0), w0 = nth(&l, 2, 0);
            uint32_t r1 = nth(&l, 3, 0), w1 = nth(&l, 4, 0);
            assert_before(&l, r0, w0);
            assert_concurrent(&l, r0, r1);
            assert_concurrent(&l, w0, w1);
            assert_concurrent(&l, w0, r1);
            assert_int_equal(n_with(&l, UNF_TARGET), 2);
            uint32_t a =
                child(&l, unf_at(l.u, w0).before, root_of(&l, w0), UNF_NONE, UNF_NONE);
            uint32_t b =
                child(&l, unf_at(l.u, w1).before, root_of(&l, w1), UNF_NONE, UNF_NONE);
            assert_concurrent(&l, a, b);
            assert_concurrent(&l, a, w1);
            assert_conflict(&l, a, w0);
            lab_fini(&l);
        }
        assert_int_equal(search(&p, 0, 1).n_runs, 2);
        assert_int_equal(search(&p, 0, 3).n_runs, 2);
        if (n < 4)
            assert_runs(&p, 2);
        if (n <= SIM_INS / 4 - 1) {
            p = pairs(n, true);
            assert_int_equal(search(&p, 0, 1).n_runs, 2);
        }
    }
}

/* Figure 13 and example 8: after one lock event there are two ways to the unlock, and so
 * two states of the mutex in which another thread can lock it. */
static void test_figure_13(void **state)
{
    (void)state;
    enum { X };
    static const sim_ins threads[][SIM_INS] = {
        {{WIRE_LOCK, 0, 0, 0}, {WIRE_LOAD, X, 0, 0}, {WIRE_UNLOCK, 0, 0, 0}},
        {{WIRE_STORE, X, 1, 0}},
        {{WIRE_LOCK, 0, 0, 0}, {WIRE_UNLOCK, 0, 0, 0}},
    };
    sim p = program(3, threads);
    lab l;
    lab_init(&l, &p);
    lab_follow(&l, "000111332");
    uint32_t lock = nth(&l, 1, 0), u1 = nth(&l, 1, 2), after1 = nth(&l, 3, 0);
    uint32_t t0 = unf_at(l.u, after1).before, root = root_of(&l, lock);
    uint32_t first = child(&l, t0, root, UNF_NONE, UNF_NONE);
    assert_int_equal(unf_at(l.u, after1).after, u1);
    assert_true(is_target(&l, first));
    uint32_t store = child(&l, unf_at(l.u, nth(&l, 2, 0)).before,
                           root_of(&l, nth(&l, 2, 0)), UNF_NONE, UNF_NONE);
    assert_true(is_target(&l, store));
    assert_int_equal(n_with(&l, UNF_TARGET), 2);

    lab_follow(&l, "0001211"); /* the write before the read */
    uint32_t u2 = nth(&l, 1, 2), after2 = child(&l, t0, u2, UNF_NONE, UNF_NONE);
    assert_int_equal(nth(&l, 1, 0), lock);
    assert_before(&l, lock, u1);
    assert_before(&l, lock, u2);
    assert_conflict(&l, u1, u2);
    assert_conflict(&l, after1, u2);
    assert_concurrent(&l, t0, u2);
    assert_true(is_executed(&l, after2)); /* the rest of that run */
    assert_before(&l, u2, after2);
    assert_conflict(&l, after1, after2);
    assert_conflict(&l, first, u2);
    assert_true(is_target(&l, first));
    td_rng rng = {13};
    for (lab_tidy(&l); l.todo.len > 0; lab_tidy(&l))
        lab_cover(&l, l.todo.at[0], &rng);
    assert_true(naive_relates(l.n, l.u, (char[99]){0}, 99));
    lab_fini(&l);
    assert_runs(&p, 4);
}

/* Figure 14 and example 6: which states a history can read in. Thread 3 has read z before
 * it was written; what follows the other write of z is in conflict with that. */
static void test_figure_14(void **state)
{
    (void)state;
    enum { X, Z };
    static const sim_ins threads[][SIM_INS] = {
        {{WIRE_STORE, X, 1, 0}},
        {{WIRE_STORE, Z, 1, 0}, {WIRE_STORE, X, 2, 0}},
        {{WIRE_LOAD, Z, 0, 0}, {WIRE_LOAD, X, 0, 0}},
    };
    sim p = program(3, threads);
    lab l;
    lab_init(&l, &p);
    lab_follow(&l, "00012233"); /* x by 1, z and x by 2, thread 3 last */
    uint32_t s2 = nth(&l, 1, 0), z0 = nth(&l, 2, 0), s3 = nth(&l, 2, 1);
    uint32_t s1 = root_of(&l, s2);
    uint32_t s4 = child(&l, z0, s1, UNF_NONE, UNF_NONE);
    assert_true(is_target(&l, s4));
    lab_follow(&l, "0002123"); /* the other order of the writes: s4, then thread 1 */
    assert_true(is_executed(&l, z0));
    lab_follow(&l, "00013322"); /* thread 3 reads z first, then x in s2 */
    uint32_t t1 = nth(&l, 3, 0), z1 = nth(&l, 2, 0);
    assert_conflict(&l, t1, z0);
    assert_conflict(&l, t1, s3);
    assert_conflict(&l, t1, s4);
    assert_concurrent(&l, t1, s2);
    assert_before(&l, t1, z1);
    assert_true(is_executed(&l, child(&l, t1, s2, UNF_NONE, UNF_NONE)));
    assert_true(is_target(&l, child(&l, t1, s1, UNF_NONE, UNF_NONE)));
    assert_int_equal(child(&l, t1, s3, UNF_NONE, UNF_NONE), 0);
    assert_int_equal(child(&l, t1, s4, UNF_NONE, UNF_NONE), 0);
    /* Thread 2 writes x after z1 in the state s2: before thread 3 reads it, or after. */
    assert_true(is_target(&l, child(&l, z1, s2, UNF_NONE, UNF_NONE)));
    assert_true(is_executed(&l, child(&l, z1, s2, nth(&l, 3, 1), UNF_NONE)));
    td_rng rng = {14};
    for (lab_tidy(&l); l.todo.len > 0; lab_tidy(&l))
        lab_cover(&l, l.todo.at[0], &rng);
    assert_true(naive_relates(l.n, l.u, (char[99]){0}, 99));
    lab_fini(&l);
}

/* Figure 16 and example 7: a new write of one thread, beside a write and a read of others in
 * the state before. */
static void test_figure_16(void **state)
{
    (void)state;
    enum { X };
    static const sim_ins threads[][SIM_INS] = {
        {{WIRE_STORE, X, 1, 0}},
        {{WIRE_STORE, X, 2, 0}},
        {{WIRE_LOAD, X, 0, 0}},
    };
    sim p = program(3, threads);
    lab l;
    lab_init(&l, &p);
    lab_follow(&l, "000321"); /* R3 and W2 in the first state, then W1 */
    uint32_t r3 = nth(&l, 3, 0), w2 = nth(&l, 2, 0), s = root_of(&l, w2);
    uint32_t h1 = unf_at(l.u, nth(&l, 1, 0)).before, h2 = unf_at(l.u, w2).before;
    uint32_t h3 = unf_at(l.u, r3).before;
    /* W1 in the first state, with and without the read before it, and W2 without. */
    uint32_t w1 = child(&l, h1, s, UNF_NONE, UNF_NONE),
             w1r = child(&l, h1, s, r3, UNF_NONE);
    uint32_t w2n = child(&l, h2, s, UNF_NONE, UNF_NONE);
    assert_int_equal(n_with(&l, UNF_TARGET), 3);
    assert_true(is_target(&l, w1) && is_target(&l, w1r) && is_target(&l, w2n));
    assert_conflict(&l, w1, r3);
    assert_conflict(&l, w1, w1r);
    assert_conflict(&l, w1r, w2);
    assert_before(&l, r3, w1r);
    lab_follow(&l, "000132"); /* W1, R3 in its state, W2 after both */
    assert_true(is_executed(&l, w1));
    uint32_t r3b = child(&l, h3, w1, UNF_NONE, UNF_NONE);
    assert_int_equal(r3b, nth(&l, 3, 0));
    assert_int_equal(nth(&l, 2, 0), child(&l, h2, w1, r3b, UNF_NONE));
    uint32_t w2b = child(&l, h2, w1, UNF_NONE, UNF_NONE);
    assert_true(is_target(&l, w2b));
    assert_conflict(&l, w2b, r3b);
    assert_before(&l, w1, w2b);
    assert_true(is_target(&l, w1r) && is_target(&l, w2n));
    assert_int_equal(n_with(&l, UNF_TARGET), 3);
    td_rng rng = {16};
    for (lab_tidy(&l); l.todo.len > 0; lab_tidy(&l))
        lab_cover(&l, l.todo.at[0], &rng);
    assert_int_equal(l.n_runs, 6);
    assert_true(naive_relates(l.n, l.u, (char[99]){0}, 99));
    lab_fini(&l);
    assert_runs(&p, 6);
}

/* ---- joins ---- */

static uint32_t n_ends(const lab *l, uint32_t thread)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < unf_len(l->u); i++)
        n += unf_at(l->u, i).kind == WIRE_END && unf_at(l->u, i).thread == thread;
    return n;
}

/* The first run shows no join, so ends are no events; then main joins thread 1, which has
 * ended in two ways by then. */
static void test_ends_made_late(void **state)
{
    (void)state;
    enum { X, Y };
    sim p = {.ins = {{{WIRE_CREATE, 1, 0, 0},
                      {WIRE_CREATE, 2, 0, 0},
                      {WIRE_LOAD, X, 0, 0},
                      {SIM_IF, 0, 1, 2},
                      {WIRE_JOIN, 1, 1, 0},
                      {WIRE_LOAD, Y, 0, 0}},
                     {{WIRE_STORE, Y, 1, 0}},
                     {{WIRE_STORE, Y, 2, 0}, {WIRE_STORE, X, 1, 0}}}};
    lab l;
    lab_init(&l, &p);
    lab_follow(&l, "000122"); /* main reads x before it is written */
    lab_follow(&l, "000212");
    uint32_t joined = unf_at(l.u, nth(&l, 1, 0)).thread;
    assert_int_equal(n_ends(&l, joined), 0);
    lab_follow(&l, "00220"); /* and after */
    assert_int_equal(n_ends(&l, joined), 2);
    td_rng rng = {1};
    for (lab_tidy(&l); l.todo.len > 0; lab_tidy(&l))
        lab_cover(&l, l.todo.at[0], &rng);
    assert_int_equal(n_ends(&l, unf_at(l.u, nth(&l, 0, 0)).thread), 0);
    sim_census c;
    sim_enumerate(&p, 100000, &c);
    lab_compare(&l, &c);
    sim_census_fini(&c);
    lab_fini(&l);
}

/* ---- plain accesses ---- */

enum { ALONE = 0x1000, TOGETHER = 0x2000 }; /* addresses */

/* Thread 1 writes both before each of its operations. Main reads one before it joins, the other
 * after it. */
static void touch_around_joins(trc *t)
{
    bool has_joined = false;
    for (uint32_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        has_joined |= mdl_joins(op->kind);
        bool writes = op->thread == 1;
        bool reads = op->thread == 0 && (mdl_joins(op->kind) || has_joined);
        uint64_t at = mdl_joins(op->kind) ? TOGETHER : ALONE;
        if (writes)
            trc_touch_vec_push(&t->touches, (trc_touch){.thread = 1,
                                                        .site = 1,
                                                        .before_op = i,
                                                        .how = WIRE_TOUCH_WRITE,
                                                        .start = ALONE,
                                                        .end = ALONE + 4});
        if (writes)
            trc_touch_vec_push(&t->touches, (trc_touch){.thread = 1,
                                                        .site = 2,
                                                        .before_op = i,
                                                        .how = WIRE_TOUCH_WRITE,
                                                        .start = TOGETHER,
                                                        .end = TOGETHER + 4});
        if (reads)
            trc_touch_vec_push(&t->touches, (trc_touch){.thread = 0,
                                                        .site = at,
                                                        .before_op = i,
                                                        .how = WIRE_TOUCH_READ,
                                                        .start = at,
                                                        .end = at + 4});
    }
}

/* What main reads after it has joined the thread that writes it does not race; what it reads
 * before does, though no run has both histories. */
static void test_race_around_join(void **state)
{
    (void)state;
    enum { X, Y };
    sim p = {.ins = {{{WIRE_CREATE, 1, 0, 0},
                      {WIRE_CREATE, 2, 0, 0},
                      {WIRE_CREATE, 3, 0, 0},
                      {WIRE_LOAD, X, 0, 0},
                      {WIRE_JOIN, 1, 1, 0},
                      {WIRE_LOAD, Y, 0, 0}},
                     {{WIRE_LOAD, Y, 0, 0}},
                     {{WIRE_STORE, X, 1, 0}},
                     {{WIRE_STORE, Y, 1, 0}}}};
    lab l;
    lab_init(&l, &p);
    l.touch = touch_around_joins;
    td_rng rng = {1};
    lab_explore(&l, &rng);
    assert_int_equal(l.racing.len, 2);
    for (size_t i = 0; i < l.racing.len; i++)
        assert_false(mdl_joins(unf_at(l.u, l.racing.at[i]).kind));
    lab_fini(&l);
}

/* Thread 2 joins thread 3 and looks at nothing, so after one run what it does after its
 * CREATE is not kept. Thread 1 joins thread 2, from a history that is new in the second run:
 * it depends on an end that was not kept. What it does then may matter. */
static void test_join_of_blind_thread(void **state)
{
    (void)state;
    enum { X, Y };
    sim p = {
        .ins = {{{WIRE_CREATE, 1, 0, 0}, {WIRE_STORE, X, 1, 0}, {WIRE_STORE, Y, 1, 0}},
                {{WIRE_CREATE, 2, 0, 0},
                 {WIRE_LOAD, X, 0, 0},
                 {WIRE_JOIN, 2, 0, 0},
                 {SIM_IF, 0, 1, 1},
                 {WIRE_LOAD, Y, 0, 0}},
                {{WIRE_CREATE, 3, 0, 0}, {WIRE_JOIN, 3, 0, 0}},
                {{WIRE_LOAD, X, 0, 0}}}};
    lab l;
    lab_init(&l, &p);
    td_rng rng = {1};
    lab_follow(&l, "011232100"); /* all read x before it is written */
    lab_follow(&l, "00112321");  /* all after */
    for (lab_tidy(&l); l.todo.len > 0; lab_tidy(&l))
        lab_cover(&l, l.todo.at[0], &rng);
    sim_census c;
    sim_enumerate(&p, 100000, &c);
    lab_compare(&l, &c);
    sim_census_fini(&c);
    lab_fini(&l);
}

/* A run ends in a deadlock after main's first join, so that nobody knows yet that main only
 * joins and ends. The next run shows it; the join that was executed is then one of those
 * that are not followed any more. */
static void test_blind_learned_late(void **state)
{
    (void)state;
    enum { X };
    sim p = {.ins = {{{WIRE_CREATE, 1, 0, 0},
                      {WIRE_CREATE, 2, 0, 0},
                      {WIRE_CREATE, 3, 0, 0},
                      {WIRE_JOIN, 1, 0, 0},
                      {WIRE_JOIN, 2, 0, 0}},
                     {{WIRE_LOAD, X, 0, 0}},
                     {{WIRE_LOCK, 0, 0, 0}, {WIRE_UNLOCK, 0, 0, 0}},
                     {{WIRE_LOCK, 0, 0, 0}, {WIRE_STORE, X, 1, 0}}}};
    lab l;
    lab_init(&l, &p);
    lab_follow(&l, "0001330"); /* thread 2 waits for ever */
    assert_int_equal(l.t.done, WIRE_DONE_DEADLOCK);
    lab_follow(&l, "000223310");
    assert_int_equal(l.t.done, WIRE_DONE_EXIT);
    td_rng rng = {1};
    for (lab_tidy(&l); l.todo.len > 0; lab_tidy(&l))
        lab_cover(&l, l.todo.at[0], &rng);
    lab_fini(&l);
}

/* Thread 1 writes if it has read what thread 3 stored. Main reads that after each of its joins. */
static void touch_late(trc *t)
{
    bool has_joined = false, has_read = false;
    for (uint32_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        bool reads = op->thread == 0 && has_joined;
        if (reads || (op->thread == 1 && has_read))
            trc_touch_vec_push(&t->touches, (trc_touch){.thread = op->thread,
                                                        .site = 1 + op->thread,
                                                        .before_op = i,
                                                        .how = reads ? WIRE_TOUCH_READ
                                                                     : WIRE_TOUCH_WRITE,
                                                        .start = ALONE,
                                                        .end = ALONE + 4});
        has_joined |= mdl_joins(op->kind);
        has_read |= op->thread == 1 && op->kind == WIRE_LOAD && op->after < i &&
                    t->ops.at[op->after].thread == 3;
    }
}

/* Explored twice with the same choices, once with what follows silent histories left out: when main turns
 * out to look at something, all is as if it had been kept. True if something was left out before. */
static bool leave_tails(const sim *p, uint64_t seed)
{
    lab kept, left;
    lab_init(&kept, p);
    lab_init(&left, p);
    kept.is_naive = left.is_naive = false;
    kept.touch = left.touch = touch_late;
    unf_leave_tails(left.u);
    td_rng rng = {seed}, again = {seed};
    lab_explore(&kept, &rng);
    lab_explore(&left, &again);
    bool was_left = left.u->tails.len > 0;
    assert_true(left.u->threads.at[0].is_watched);
    assert_int_equal(left.n_runs, kept.n_runs);
    assert_int_equal(left.racing.len, kept.racing.len);
    assert_int_equal(unf_len(left.u), unf_len(kept.u));
    assert_true(td_id_equal(unf_digest(left.u), unf_digest(kept.u)));
    for (uint32_t i = 0; i < unf_len(kept.u); i++) {
        unf_view v = unf_at(kept.u, i);
        uint32_t same = v.kind < UNF_START ? unf_find(left.u, v.id) : UNF_NONE;
        if (v.kind >= UNF_START)
            continue;
        assert_int_not_equal(same, UNF_NONE);
        const unf_node *a = node_at(kept.u, i), *b = node_at(left.u, same);
        assert_int_equal(a->status, b->status);
        assert_int_equal(a->next_kind, b->next_kind);
        assert_int_equal(a->next_object, b->next_object);
        assert_int_equal(a->depth, b->depth);
        assert_int_equal(unf_spot_of(kept.u, i).site, unf_spot_of(left.u, same).site);
        assert_int_equal(unf_spot_of(kept.u, i).place, unf_spot_of(left.u, same).place);
    }
    lab_fini(&kept);
    lab_fini(&left);
    return was_left;
}

static void test_tails_left_out(void **state)
{
    (void)state;
    enum { X, Y };
    sim p = {.ins = {{{WIRE_CREATE, 1, 0, 0},
                      {WIRE_CREATE, 2, 0, 0},
                      {WIRE_CREATE, 3, 0, 0},
                      {WIRE_JOIN, 1, 0, 0},
                      {WIRE_JOIN, 2, 0, 0},
                      {WIRE_JOIN, 3, 0, 0},
                      {WIRE_EXIT, 0, 0, 0}},
                     {{WIRE_STORE, Y, 1, 0}, {WIRE_LOAD, X, 0, 0}, {WIRE_LOAD, Y, 0, 0}},
                     {{WIRE_STORE, Y, 2, 0}, {WIRE_STORE, X, 2, 0}},
                     {{WIRE_STORE, Y, 3, 0}, {WIRE_STORE, X, 1, 0}}}};
    uint32_t n_left = 0;
    for (uint64_t seed = 1; seed <= 20; seed++)
        n_left += leave_tails(&p, seed);
    assert_true(n_left >= 3);
}

/* ---- preemptions ---- */

/* Thread 2 reads x first. Main is done with what that needs, but could go on; if it does, up to its
 * end, the switch is free. It is not if what it does changes x. */
static void way_over_main(uint8_t stored, unf_reach expected)
{
    enum { X };
    sim p = {.ins = {{{WIRE_CREATE, 1, 0, 0},
                      {WIRE_CREATE, 2, 0, 0},
                      {WIRE_STORE, stored, 1, 0}},
                     {{WIRE_STORE, X, 1, 0}},
                     {{WIRE_LOAD, X, 0, 0}}}};
    lab l;
    lab_init(&l, &p);
    lab_follow(&l, "00012");
    uint32_t load = nth(&l, 2, 0);
    uint32_t first =
        child(&l, unf_at(l.u, load).before, root_of(&l, load), UNF_NONE, UNF_NONE);
    assert_true(is_target(&l, first));
    unf_path *w = unf_path_new(l.u);
    bool is_final = false;
    assert_int_equal(unf_path_find(w, first, 0, &is_final), expected);
    assert_true(is_final);
    if (expected == UNF_WITHIN) {
        unf_path_plan(w, l.plan, &l.steps);
        assert_true(unf_cfg_has(l.plan, first) && unf_cfg_has(l.plan, nth(&l, 0, 2)));
        assert_int_equal(l.steps.len, 2);
        assert_int_equal(l.steps.at[0].count, 3);
    }
    assert_int_equal(unf_path_find(w, first, 1, &is_final), UNF_WITHIN);
    unf_path_free(w);
    lab_fini(&l);
}

static void test_way_over_others(void **state)
{
    (void)state;
    enum { X, Y };
    way_over_main(Y, UNF_WITHIN);
    way_over_main(X, UNF_BEYOND);
}

/* Each trace that has a run within the bound is run once, and no other but by runs that say so.
 * What is cut short is a trace of its own to the one who counts all. */
static bool has_traces_within(const sim *p, const sim_census *c, uint32_t bound,
                              uint32_t window, bool is_cut_short)
{
    xpl_opts opts = {.seed = 1, .bounded = true, .preemptions = bound};
    outcome out = search_by(xpl_search_find("optimal"), p, opts, window);
    uint64_t n_over = out.preemptions.n_over;
    if (!out.complete || out.n_diverged || !td_id_equal(out.digest, c->digest))
        return false;
    return out.n_runs <= c->n_traces + n_over &&
           (is_cut_short || out.n_runs >= c->n_traces);
}

/* With each bound exactly what runs with so many preemptions reach, and without one all. */
static void assert_bounds(const sim *p, uint32_t window, bool is_cut_short)
{
    for (uint32_t bound = 0; bound < 4; bound++) {
        sim_census c;
        sim_enumerate_within(p, bound, 20000, &c);
        xpl_opts opts = {.seed = 1, .bounded = true, .preemptions = bound};
        outcome out = {0};
        if (!c.too_many)
            out = search_by(xpl_search_find("unfold"), p, opts, window);
        if (!c.too_many &&
            (!out.complete || out.n_diverged || !td_id_equal(out.digest, c.digest) ||
             out.preemptions.completed > bound)) {
            sim_print(p);
            fail_msg("not what %u preemptions lead to", bound);
        }
        if (!c.too_many && !has_traces_within(p, &c, bound, window, is_cut_short)) {
            sim_print(p);
            fail_msg("not the traces with %u preemptions", bound);
        }
        sim_census_fini(&c);
    }
    outcome plain = search(p, 1, window);
    xpl_opts opts = {.seed = 1, .iterate = true};
    outcome out = search_by(xpl_search_find("unfold"), p, opts, window);
    assert_true(out.complete && out.n_gaps == 0 && out.preemptions.completed >= 0);
    assert_true(td_id_equal(out.digest, plain.digest));
    sim_census c;
    sim_enumerate(p, 20000, &c);
    out = search_by(xpl_search_find("optimal"), p, opts, window);
    assert_true(out.complete && out.n_gaps == 0);
    assert_true(td_id_equal(out.digest, plain.digest));
    if (!c.too_many && !is_cut_short)
        assert_int_equal(out.n_runs, c.n_traces);
    sim_census_fini(&c);
}

static void test_random_bounds(void **state)
{
    (void)state;
    static const sim_options kinds[] = {
        {.n_threads = 2, .n_ops = 4, .n_vars = 2},
        {.n_threads = 3, .n_ops = 2, .n_vars = 2, .n_mutexes = 2},
        {.n_threads = 3, .n_ops = 2, .n_vars = 2, .n_mutexes = 1, .joins = true},
        {.n_threads = 2, .n_ops = 3, .n_vars = 2, .n_mutexes = 2, .exits = true},
        {.n_threads = 2, .n_ops = 3, .n_vars = 2, .n_mutexes = 1, .fails = true},
        {.n_threads = 3, .n_ops = 2, .n_vars = 2, .n_mutexes = 1, .sections = true},
    };
    td_rng rng = {21};
    for (uint32_t i = 0; i < 180; i++) {
        const sim_options *o = &kinds[i % (sizeof kinds / sizeof kinds[0])];
        sim p;
        sim_random(&rng, o, &p);
        assert_bounds(&p, 1 + i % 4, o->exits || o->fails);
    }
}

/* ---- tails ---- */

/* What is left is the mean of runs less the steps, and never below nothing. */
static void test_tails(void **state)
{
    (void)state;
    assert_int_equal(xpl_tail_policy(&(xpl_opts){.seed = 1}), WIRE_POLICY_FIRST);
    assert_int_equal(xpl_tail_policy(&(xpl_opts){.seed = 2}), WIRE_POLICY_RANDOM);
    assert_int_equal(xpl_tail_policy(&(xpl_opts){.seed = 2, .tail = XPL_TAIL_POS}),
                     WIRE_POLICY_POS);
    const xpl_tails t = {.n_choices = {10, 21, 6}, .n_runs = 2};
    trc_step_vec steps = {0};
    trc_step_vec_push(&steps, (wire_step){1, 4});
    trc_step_vec_push(&steps, (wire_step){2, 9});
    trc_step_vec_push(&steps, (wire_step){1, 1});
    xpl_tails_put(&t, &steps);
    assert_int_equal(steps.len, 5); /* nothing is left in 2 */
    assert_int_equal(steps.at[3].thread, WIRE_STEP_LEFT);
    assert_int_equal(steps.at[3].count, 5);
    assert_int_equal(steps.at[4].thread, WIRE_STEP_LEFT + 1);
    assert_int_equal(steps.at[4].count, 6);
    trc_step_vec_fini(&steps);
}

/* ---- the search that chooses ---- */

/* It ends where unfold does, after the probes, and has said which search it left it to. */
static void test_auto(void **state)
{
    (void)state;
    static const sim_options small = {.n_threads = 2, .n_ops = 3, .n_vars = 2};
    static const sim_options large = {.n_threads = 6, .n_ops = 12, .n_vars = 1};
    td_rng rng = {5};
    const xpl_search *by = xpl_search_find("auto");
    for (uint32_t i = 0; i < 20; i++) {
        sim p;
        sim_random(&rng, &small, &p);
        outcome plain = search(&p, 1, 1 + i % 4);
        outcome out = search_by(by, &p, (xpl_opts){.seed = 1}, 1 + i % 4);
        assert_true(out.complete && out.n_gaps == 0);
        assert_true(td_id_equal(out.digest, plain.digest));
        assert_int_equal(out.n_runs, plain.n_runs + 16);
        assert_non_null(strstr(out.said, ": unfold"));
        assert_int_equal(out.preemptions.is_bounded, false);
    }
    sim p;
    sim_random(&rng, &large, &p);
    outcome out = search_by(by, &p, (xpl_opts){.seed = 1, .runs = 300}, 3);
    assert_int_equal(out.n_runs, 300);
    assert_false(out.complete);
    assert_true(out.preemptions.is_bounded);
    assert_non_null(strstr(out.said, "200 runs of pct, then unfold, fewest"));
    assert_null(strstr(out.said, "guided"));
}

/* A search that is far from its end at three looks is left, and what it knows is kept; one that
 * comes to its end is not. */
static void test_auto_changes(void **state)
{
    (void)state;
    static const sim_options large = {.n_threads = 5, .n_ops = 12, .n_vars = 1};
    static const sim_options middle = {.n_threads = 4, .n_ops = 5, .n_vars = 1};
    td_rng rng = {7};
    const xpl_search *by = xpl_search_find("auto");
    sim p;
    sim_random(&rng, &large, &p);
    enum { PROBES = 16, PCT = 200, CHANGE = 2048 };
    const xpl_opts opts = {.seed = 1, .runs = PROBES + PCT + CHANGE + 100, .stays = true};
    outcome handed = search_by(by, &p, (xpl_opts){.seed = 1, .runs = opts.runs}, 1);
    assert_int_equal(handed.n_runs, PROBES + PCT + CHANGE / 2);
    assert_false(handed.complete);
    outcome out = search_by(by, &p, opts, 1);
    assert_int_equal(out.n_runs, opts.runs);
    assert_non_null(strstr(out.said, "; after 2048 runs of unfold about 10^"));
    assert_non_null(strstr(out.said, "switched to guided"));
    assert_false(out.complete);
    assert_true(out.n_gaps > 0 && out.n_pairs > 0 && out.preemptions.is_bounded);
    assert_int_equal(out.n_diverged, 0);
    outcome before =
        search_by(by, &p, (xpl_opts){.seed = 1, .runs = opts.runs - 100, .stays = true},
                  1);
    assert_null(strstr(before.said, "guided"));
    assert_int_equal(out.n_events, before.n_events); /* those of unfold */
    assert_int_equal(out.preemptions.completed, before.preemptions.completed);
    uint64_t most = 0;
    for (uint32_t i = 0; i < 8; i++) {
        sim_random(&rng, &middle, &p);
        out = search_by(by, &p, (xpl_opts){.seed = 1, .runs = 20000}, 3);
        assert_null(strstr(out.said, "guided"));
        most = out.complete && out.n_runs > most ? out.n_runs : most;
    }
    assert_true(most > 512); /* there was a look */
}

/* ---- probes ---- */

/* However many jobs are under way: no schedule leads elsewhere, and never more runs than
 * there are traces. */
static void assert_economy(const sim *p)
{
    sim_census c;
    sim_enumerate(p, 100000, &c);
    for (uint64_t seed = 0; seed < 12; seed++)
        for (uint32_t window = 1; window <= 4; window++) {
            outcome out = search(p, seed, window);
            assert_true(out.complete);
            assert_int_equal(out.n_gaps + out.n_diverged, 0);
            assert_true(td_id_equal(out.digest, c.digest));
            assert_true(out.n_runs <= c.n_traces);
        }
    sim_census_fini(&c);
}

/* A probe is under way when another run settles it: it will come out as the exclusive event,
 * and so does not exclude what comes after that. */
static void test_probe_settled_in_flight(void **state)
{
    (void)state;
    enum { X, Y };
    sim p = {.ins = {{{WIRE_CREATE, 1, 0, 0},
                      {WIRE_CREATE, 2, 0, 0},
                      {WIRE_CREATE, 3, 0, 0},
                      {WIRE_JOIN, 2, 1, 0},
                      {SIM_IF, 0, 0, 1},
                      {WIRE_LOAD, Y, 0, 0}},
                     {{WIRE_CAS, Y, 2, 2}, {WIRE_CAS, Y, 0, 1}},
                     {{WIRE_STORE, X, 2, 0}, {WIRE_STORE, X, 0, 0}, {WIRE_JOIN, 1, 0, 0}},
                     {{WIRE_STORE, Y, 2, 0},
                      {WIRE_LOAD, X, 0, 0},
                      {SIM_IF, 0, 0, 1},
                      {WIRE_STORE, Y, 2, 0}}}};
    assert_economy(&p);
}

/* A probe that succeeds changes its object: what else the job covers may have to read the
 * state before. */
static void test_probe_comes_last(void **state)
{
    (void)state;
    enum { X, Y };
    sim p = {.ins = {{{WIRE_CREATE, 1, 0, 0},
                      {WIRE_CREATE, 2, 0, 0},
                      {WIRE_CREATE, 3, 0, 0},
                      {WIRE_JOIN, 1, 0, 0},
                      {WIRE_JOIN, 2, 1, 0},
                      {SIM_IF, 0, 1, 1},
                      {WIRE_LOAD, X, 0, 0},
                      {WIRE_JOIN, 3, 0, 0}},
                     {{WIRE_LOAD, Y, 0, 0},
                      {SIM_IF, 0, 0, 1},
                      {WIRE_STORE, X, 1, 0},
                      {WIRE_STORE, X, 1, 0}},
                     {{WIRE_STORE, Y, 0, 0}, {WIRE_RMW, Y, 1, 0}},
                     {{WIRE_CAS, Y, 0, 2},
                      {SIM_IF, 0, 0, 1},
                      {WIRE_LOAD, X, 0, 0},
                      {WIRE_RMW, X, 1, 0}}}};
    assert_economy(&p);
}

/* ---- the validator ---- */

static bool is_valid(const lab *l)
{
    return unf_valid(l->u, NULL, 0);
}

/* The node was changed; that is seen, and taken back. */
static void assert_seen(const lab *l, uint32_t event, unf_node kept, const char *change)
{
    if (is_valid(l))
        fail_msg("event %u: %s", event, change);
    *node_at(l->u, event) = kept;
    assert_true(is_valid(l));
}

/* It notices when something is changed. */
static void test_valid(void **state)
{
    (void)state;
    enum { X };
    static const sim_ins threads[][SIM_INS] = {
        {{WIRE_LOCK, 0, 0, 0}, {WIRE_LOAD, X, 0, 0}, {WIRE_UNLOCK, 0, 0, 0}},
        {{WIRE_LOCK, 0, 0, 0}, {WIRE_STORE, X, 1, 0}, {WIRE_UNLOCK, 0, 0, 0}},
        {{WIRE_STORE, X, 2, 0}},
    };
    sim p = program(3, threads);
    lab l;
    lab_init(&l, &p);
    lab_follow(&l, "0001113222");
    unf *u = l.u;
    for (uint32_t i = 0; i < unf_len(u); i++) {
        unf_node *n = node_at(u, i), kept = *n;
#define CHANGED(change) ((void)(change), assert_seen(&l, i, kept, #change))
        CHANGED(n->id.lo ^= 1);
        CHANGED(n->flags ^= NODE_CLOSED);
        CHANGED(n->status = n->status == UNF_TARGET ? UNF_EXECUTED : UNF_TARGET);
        CHANGED(n->object = 99);
        if (n->kind == UNF_ROOT)
            continue;
        CHANGED(n->depth++);
        CHANGED(n->thread ^= 1);
        CHANGED(n->before = i);
        CHANGED(n->kind = n->kind == WIRE_LOCK ? WIRE_UNLOCK : WIRE_LOCK);
        if (n->after != UNF_NONE)
            CHANGED(n->after = n->before);
        if (n->reads)
            CHANGED(n->reads = 0);
        if (n->groups)
            CHANGED(n->groups = 0);
        if (n->sibling != UNF_NONE)
            CHANGED(n->sibling = UNF_NONE);
        if (n->next_kind)
            CHANGED(n->next_kind = WIRE_DESTROY);
    }
#undef CHANGED
    u->digest.lo++;
    assert_false(is_valid(&l));
    u->digest.lo--;
    u->n_executed++;
    assert_false(is_valid(&l));
    u->n_executed--;
    assert_true(is_valid(&l));
    lab_fini(&l);
}

/* ---- random programs ---- */

typedef struct tally {
    uint64_t n_runs, n_traces, n_events, n_skipped;
} tally;

/* One program, the naive search at its side; then the real search. */
static void random_program(const sim_options *o, uint64_t seed, tally *sum)
{
    td_rng rng = {seed};
    sim p;
    sim_random(&rng, o, &p);
    sim_census c;
    sim_enumerate(&p, 20000, &c);
    if (c.too_many || c.n_traces > 400) {
        sum->n_skipped++;
        sim_census_fini(&c);
        return;
    }
    lab l;
    lab_init(&l, &p);
    lab_explore(&l, &rng);
    lab_compare(&l, &c);
    if (seed % 8 == 0 && l.is_naive && !naive_relates(l.n, l.u, (char[99]){0}, 99))
        lab_fail(&l, "relations differ");
    outcome out = search(&p, seed % 3, 1 + (uint32_t)(seed % 4));
    if (!out.complete || out.n_gaps + out.n_diverged > 0)
        lab_fail(&l, "the search is not complete");
    if (!td_id_equal(out.digest, c.digest))
        lab_fail(&l, "the search has another digest");
    if (out.n_runs > c.n_traces)
        lab_fail(&l, "the search took more runs than there are traces");
    out = search_by(xpl_search_find("optimal"), &p, (xpl_opts){.seed = seed % 3},
                    1 + (uint32_t)(seed % 4));
    if (!out.complete || out.n_gaps + out.n_diverged > 0)
        lab_fail(&l, "the search for traces is not complete");
    if (!td_id_equal(out.digest, c.digest))
        lab_fail(&l, "the search for traces has another digest");
    /* What an exit or a failure cuts short is a trace of its own to the one who counts all. */
    if (out.n_runs > c.n_traces || (!o->exits && !o->fails && out.n_runs != c.n_traces))
        lab_fail(&l, "the search for traces took more or less runs than there are");
    sum->n_runs += out.n_runs;
    sum->n_traces += c.n_traces;
    sum->n_events += out.n_events;
    lab_fini(&l);
    sim_census_fini(&c);
}

/* An audit checks the whole unfolding at each insertion. */
#ifdef TD_AUDIT_BUILD
#define N_PROGRAMS 4
#else
#define N_PROGRAMS 10
#endif

/* The environment can ask for other programs: SEED, COUNT. */
static void random_programs(const sim_options *o, uint64_t seed)
{
    const char *from = getenv("SEED"), *count = getenv("COUNT");
    uint64_t n = count ? strtoull(count, NULL, 10) : N_PROGRAMS;
    seed = from ? strtoull(from, NULL, 10) : seed;
    tally sum = {0};
    for (uint64_t i = 0; i < n; i++)
        random_program(o, seed + i, &sum);
    print_message("%llu runs, %llu traces, %llu events, %llu programs skipped\n",
                  (unsigned long long)sum.n_runs, (unsigned long long)sum.n_traces,
                  (unsigned long long)sum.n_events, (unsigned long long)sum.n_skipped);
    /* Most programs are compared, and their threads have to do with each other. */
    assert_true(n == 0 || (2 * sum.n_skipped < n && sum.n_traces > n - sum.n_skipped));
}

static void test_random_accesses(void **state)
{
    (void)state;
    random_programs(&(sim_options){.n_threads = 2, .n_ops = 4, .n_vars = 2}, 1);
}

static void test_random_locks(void **state)
{
    (void)state;
    random_programs(
        &(sim_options){.n_threads = 3, .n_ops = 3, .n_vars = 2, .n_mutexes = 2}, 10000);
}

static void test_random_joins(void **state)
{
    (void)state;
    random_programs(
        &(sim_options){
            .n_threads = 3, .n_ops = 3, .n_vars = 2, .n_mutexes = 1, .joins = true},
        20000);
}

static void test_random_exits(void **state)
{
    (void)state;
    random_programs(&(sim_options){.n_threads = 3,
                                   .n_ops = 2,
                                   .n_vars = 2,
                                   .n_mutexes = 1,
                                   .joins = true,
                                   .exits = true},
                    30000);
}

/* A run ends where a thread fails. */
static void test_random_fails(void **state)
{
    (void)state;
    random_programs(
        &(sim_options){
            .n_threads = 3, .n_ops = 2, .n_vars = 2, .joins = true, .fails = true},
        50000);
}

/* Nothing happens in the middle of an atomic section. The naive search does not know this;
 * all interleavings do. */
static void test_random_sections(void **state)
{
    (void)state;
    const sim_options o = {.n_threads = 3, .n_ops = 3, .n_vars = 2, .sections = true};
    for (uint32_t i = 0; i < 100; i++) {
        td_rng rng = {40000 + i};
        sim p;
        sim_random(&rng, &o, &p);
        sim_census c;
        sim_enumerate(&p, 20000, &c);
        if (!c.too_many && c.n_traces < 400) {
            outcome out = search(&p, i % 3, 1 + i % 4);
            assert_true(td_id_equal(out.digest, c.digest));
            assert_int_equal(out.n_diverged + out.n_gaps, 0);
            assert_true(out.complete && out.n_runs <= c.n_traces);
        }
        sim_census_fini(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_2),
        cmocka_unit_test(test_figure_4),
        cmocka_unit_test(test_figure_7),
        cmocka_unit_test(test_figure_9),
        cmocka_unit_test(test_figure_12),
        cmocka_unit_test(test_figure_13),
        cmocka_unit_test(test_figure_14),
        cmocka_unit_test(test_figure_16),
        cmocka_unit_test(test_way_over_others),
        cmocka_unit_test(test_random_bounds),
        cmocka_unit_test(test_tails),
        cmocka_unit_test(test_auto),
        cmocka_unit_test(test_auto_changes),
        cmocka_unit_test(test_probe_settled_in_flight),
        cmocka_unit_test(test_probe_comes_last),
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_ends_made_late),
        cmocka_unit_test(test_race_around_join),
        cmocka_unit_test(test_join_of_blind_thread),
        cmocka_unit_test(test_blind_learned_late),
        cmocka_unit_test(test_tails_left_out),
        cmocka_unit_test(test_random_accesses),
        cmocka_unit_test(test_random_locks),
        cmocka_unit_test(test_random_joins),
        cmocka_unit_test(test_random_exits),
        cmocka_unit_test(test_random_fails),
        cmocka_unit_test(test_random_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
