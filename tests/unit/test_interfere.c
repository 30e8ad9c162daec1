/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of the search interfere: orders, forest, candidates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "explore/interfere/checker.h"
#include "wire/sym.h"

/* ---- orders ---- */

static xpl_problem problem;
static xpl_temporal temporal;

static void thread_start(void)
{
    xpl_u32_vec_push(&problem.first, (uint32_t)problem.events.len);
}

static uint32_t event(xpl_event e)
{
    e.thread = (uint32_t)problem.first.len - 1;
    xpl_event_vec_push(&problem.events, e);
    return (uint32_t)problem.events.len - 1;
}

static uint32_t reading(uint32_t place, uint32_t source, bool is_free)
{
    return event((xpl_event){.kind = WIRE_LOAD,
                             .reads = true,
                             .is_free = is_free,
                             .place = place,
                             .object = XPL_NOTHING,
                             .other = XPL_NOTHING,
                             .source = source});
}

static uint32_t writing(uint32_t place)
{
    return event((xpl_event){.kind = WIRE_STORE,
                             .writes = true,
                             .place = place,
                             .object = XPL_NOTHING,
                             .other = XPL_NOTHING,
                             .source = XPL_ANY});
}

static uint32_t doing(uint8_t kind, uint32_t object, uint32_t other)
{
    return event((xpl_event){.kind = kind,
                             .place = XPL_NOTHING,
                             .object = object,
                             .other = other,
                             .source = XPL_ANY});
}

/* Main creates n threads; then come theirs. */
static void problem_start(uint32_t n, uint32_t n_places, uint32_t n_objects)
{
    xpl_problem_clear(&problem);
    problem.n_places = n_places;
    for (uint32_t i = 0; i < n_objects; i++)
        xpl_u32_vec_push(&problem.counts, 0);
    thread_start();
    for (uint32_t i = 1; i <= n; i++)
        doing(WIRE_CREATE, XPL_NOTHING, i);
}

static xpl_orders solved(void)
{
    thread_start();
    xpl_orders result = xpl_temporal_solve(&temporal, &problem);
    problem.first.len--;
    return result;
}

static uint32_t position(uint32_t e)
{
    for (uint32_t i = 0; i < temporal.order.len; i++)
        if (temporal.order.at[i] == e)
            return i;
    fail();
    return 0;
}

/* A read sees the write of another thread, and not a later one. */
static void test_order_of_reads(void **state)
{
    (void)state;
    problem_start(2, 1, 0);
    thread_start();
    uint32_t first = writing(0), second = writing(0);
    thread_start();
    uint32_t read = reading(0, first, false);
    assert_int_equal(solved(), XPL_ORDERED);
    assert_true(position(first) < position(read) && position(read) < position(second));
    problem.events.at[read].source = XPL_NO_EVENT;
    assert_int_equal(solved(), XPL_ORDERED);
    assert_true(position(read) < position(first));
}

/* Store buffering: both reads see what was there; not so if each follows the other's write. */
static void test_order_in_a_circle(void **state)
{
    (void)state;
    problem_start(2, 2, 0);
    thread_start();
    writing(0);
    uint32_t one = reading(1, XPL_NO_EVENT, true);
    thread_start();
    writing(1);
    uint32_t two = reading(0, XPL_NO_EVENT, true);
    assert_int_equal(solved(), XPL_NO_ORDER);
    assert_int_equal(temporal.reads.len, 2);
    problem.only = one; /* the other one is free */
    assert_int_equal(solved(), XPL_ORDERED);
    problem.only = XPL_NOTHING;
    problem.events.at[two].source = XPL_ANY;
    assert_int_equal(solved(), XPL_ORDERED);
}

/* The reader's section lies before or after all of the writer's: one read forces the other. */
static void test_order_of_sections(void **state)
{
    (void)state;
    problem_start(2, 2, 1);
    thread_start();
    doing(WIRE_LOCK, 0, XPL_NOTHING);
    uint32_t x = writing(0);
    writing(1);
    doing(WIRE_UNLOCK, 0, XPL_NOTHING);
    thread_start();
    doing(WIRE_LOCK, 0, XPL_NOTHING);
    reading(0, x, false);
    uint32_t old = reading(1, XPL_NO_EVENT, true);
    doing(WIRE_UNLOCK, 0, XPL_NOTHING);
    assert_int_equal(solved(), XPL_NO_ORDER);
    assert_int_equal(temporal.reads.len, 1);
    assert_int_equal(temporal.reads.at[0], old);
    assert_int_equal(temporal.waiting.len, 0);
}

/* Who stops inside a section keeps others out: it has to go on. */
static void test_order_waits_for_a_lock(void **state)
{
    (void)state;
    problem_start(2, 1, 1);
    thread_start();
    doing(WIRE_LOCK, 0, XPL_NOTHING);
    uint32_t x = writing(0);
    thread_start();
    uint32_t lock = doing(WIRE_LOCK, 0, XPL_NOTHING);
    reading(0, x, false);
    assert_int_equal(solved(), XPL_NO_ORDER);
    assert_int_equal(temporal.waiting.len, 1);
    assert_int_equal(temporal.waiting.at[0].event, lock);
    assert_int_equal(temporal.waiting.at[0].thread, 1);
}

static void test_order_of_primitives(void **state)
{
    (void)state;
    problem_start(2, 0, 1);
    thread_start();
    uint32_t wait = doing(WIRE_SEM_WAIT, 0, XPL_NOTHING);
    thread_start();
    uint32_t post = doing(WIRE_SEM_POST, 0, XPL_NOTHING);
    assert_int_equal(solved(), XPL_ORDERED);
    assert_true(position(post) < position(wait));
    problem.events.at[post].kind = WIRE_SEM_WAIT;
    assert_int_equal(solved(), XPL_NO_ORDER);
    problem.counts.at[0] = 2;
    assert_int_equal(solved(), XPL_ORDERED);

    problem_start(2, 0, 1);
    thread_start();
    uint32_t sleep = doing(WIRE_COND_WAIT, 0, XPL_NOTHING);
    uint32_t wake = doing(WIRE_COND_WAKE, 0, XPL_NOTHING);
    thread_start();
    uint32_t signal = doing(WIRE_SIGNAL, 0, XPL_NOTHING);
    assert_int_equal(solved(), XPL_ORDERED);
    assert_true(position(sleep) < position(signal) && position(signal) < position(wake));
}

/* Who is at a barrier the second time does not leave because of the first. */
static void test_order_of_rounds(void **state)
{
    (void)state;
    problem_start(2, 0, 1);
    problem.counts.at[0] = 2;
    thread_start();
    doing(WIRE_BARRIER, 0, XPL_NOTHING);
    doing(WIRE_BARRIER_LEAVE, 0, XPL_NOTHING);
    doing(WIRE_BARRIER, 0, XPL_NOTHING);
    uint32_t leave = doing(WIRE_BARRIER_LEAVE, 0, XPL_NOTHING);
    thread_start();
    uint32_t last = doing(WIRE_BARRIER, 0, XPL_NOTHING);
    problem.events.at[last].is_last = true;
    assert_int_equal(solved(), XPL_NO_ORDER);
    assert_int_equal(temporal.waiting.at[temporal.waiting.len - 1].event, leave);
    last = doing(WIRE_BARRIER, 0, XPL_NOTHING);
    problem.events.at[last].is_last = true;
    assert_int_equal(solved(), XPL_ORDERED);
    assert_true(position(last) < position(leave));
}

/* Joins and the end of the process come after the rest. */
static void test_order_of_ends(void **state)
{
    (void)state;
    problem_start(1, 0, 0);
    uint32_t join = doing(WIRE_JOIN, XPL_NOTHING, 1);
    uint32_t exit = doing(WIRE_EXIT, XPL_NOTHING, XPL_NOTHING);
    thread_start();
    uint32_t end = doing(WIRE_END, XPL_NOTHING, XPL_NOTHING);
    assert_int_equal(solved(), XPL_ORDERED);
    assert_true(position(end) < position(join) && position(join) < position(exit));
}

/* ---- orders, against all of them ---- */

typedef struct naive {
    uint32_t at[8], last[4], holder[2];
    bool exists[8];
} naive;

static bool naive_can(const naive *n, const xpl_event *e)
{
    if (!n->exists[e->thread])
        return false;
    if (e->kind == WIRE_LOCK)
        return n->holder[e->object] == 0;
    return !e->reads || e->source == XPL_ANY || n->last[e->place] == e->source;
}

static bool naive_solve(const naive *from)
{
    uint32_t n_threads = (uint32_t)problem.first.len - 1;
    bool done = true;
    for (uint32_t t = 0; t < n_threads; t++) {
        if (from->at[t] == problem.first.at[t + 1])
            continue;
        done = false;
        const xpl_event *e = &problem.events.at[from->at[t]];
        if (!naive_can(from, e))
            continue;
        naive to = *from;
        to.at[t]++;
        if (e->kind == WIRE_CREATE)
            to.exists[e->other] = true;
        if (e->kind == WIRE_LOCK || e->kind == WIRE_UNLOCK)
            to.holder[e->object] = e->kind == WIRE_LOCK;
        if (e->writes)
            to.last[e->place] = (uint32_t)(e - problem.events.at);
        if (naive_solve(&to))
            return true;
    }
    return done;
}

static bool naive_ordered(void)
{
    naive n = {.exists = {true}};
    for (size_t i = 0; i < 4; i++)
        n.last[i] = XPL_NO_EVENT;
    memcpy(n.at, problem.first.at, (problem.first.len - 1) * sizeof n.at[0]);
    return naive_solve(&n);
}

static void random_thread(td_rng *rng)
{
    bool locks = td_rng_below(rng, 3) == 0;
    uint32_t object = (uint32_t)td_rng_below(rng, 2);
    thread_start();
    if (locks)
        doing(WIRE_LOCK, object, XPL_NOTHING);
    for (uint64_t i = 1 + td_rng_below(rng, 3); i > 0; i--) {
        uint32_t place = (uint32_t)td_rng_below(rng, 2);
        if (td_rng_below(rng, 2))
            writing(place);
        else
            reading(place, XPL_ANY, true);
    }
    if (locks && td_rng_below(rng, 4))
        doing(WIRE_UNLOCK, object, XPL_NOTHING);
}

static void random_sources(td_rng *rng)
{
    for (size_t i = 0; i < problem.events.len; i++) {
        xpl_event *e = &problem.events.at[i];
        if (!e->reads || td_rng_below(rng, 4) == 0)
            continue;
        uint32_t k = (uint32_t)td_rng_below(rng, problem.events.len);
        const xpl_event *w = &problem.events.at[k];
        e->source = w->writes && w->place == e->place ? k : XPL_NO_EVENT;
        e->is_free = td_rng_below(rng, 2);
    }
}

/* Without what is blamed there is another order, or other reasons remain (O2): if no read is
 * blamed and nobody waits, freeing all reads that may be changed does not help. */
static void test_orders_against_all(void **state)
{
    (void)state;
    td_rng rng = {1};
    uint32_t n_ordered = 0;
    for (int round = 0; round < 3000; round++) {
        problem_start(3, 2, 2);
        for (int i = 0; i < 3; i++)
            random_thread(&rng);
        random_sources(&rng);
        xpl_orders result = solved();
        thread_start();
        assert_int_equal(result == XPL_ORDERED, naive_ordered());
        n_ordered += result == XPL_ORDERED;
        for (size_t i = 0; result == XPL_NO_ORDER && i < problem.events.len; i++) {
            xpl_event *e = &problem.events.at[i];
            bool blamed = false;
            for (size_t k = 0; k < temporal.reads.len; k++)
                blamed |= temporal.reads.at[k] == i;
            if (e->reads && e->is_free && !blamed)
                e->source = XPL_ANY;
        }
        if (result == XPL_NO_ORDER)
            assert_false(naive_ordered());
        problem.first.len--;
    }
    assert_true(n_ordered > 300 && n_ordered < 2700);
}

/* ---- a program by hand ----
 *
 * Main creates a writer, which stores 1 to x, and a reader, which loads x and branches on x == 1. */

enum { X = 0x1000, SITE = 7 };

typedef struct maker {
    trc t;
    uint32_t n_reads[3];
} maker;

static trc_op *add_op(maker *m, uint8_t kind, uint32_t thread, uint64_t object,
                      uint64_t value)
{
    bool is_access = kind == WIRE_LOAD || kind == WIRE_STORE;
    trc_op_vec_push(&m->t.ops, (trc_op){.kind = kind,
                                        .thread = thread,
                                        .size = is_access ? 4 : 0,
                                        .is_told = kind == WIRE_STORE || kind == WIRE_END,
                                        .object = object,
                                        .value = value,
                                        .flags = kind == WIRE_END ? WIRE_F_FORCED : 0});
    return &m->t.ops.at[m->t.ops.len - 1];
}

static void create(maker *m, uint64_t thread)
{
    trc_thread_vec_push(&m->t.threads, (trc_thread){.name = {thread, 1},
                                                    .create_op = (uint32_t)m->t.ops.len,
                                                    .end_op = UINT32_MAX});
    add_op(m, WIRE_CREATE, 0, 0, thread);
}

static void end(maker *m, uint32_t thread)
{
    m->t.threads.at[thread].end_op = (uint32_t)m->t.ops.len;
    add_op(m, WIRE_END, thread, 0, 0);
}

/* The reader's load, and its decision by x == 1. */
static void load_and_branch(maker *m, uint32_t thread, uint64_t value)
{
    add_op(m, WIRE_LOAD, thread, X, value);
    trc_node_vec_push(&m->t.nodes,
                      (trc_node){.op = WIRE_SYM_READ,
                                 .bits = 32,
                                 .immediate = {thread, m->n_reads[thread]++}});
    uint32_t read = (uint32_t)m->t.nodes.len - 1;
    trc_node_vec_push(
        &m->t.nodes,
        (trc_node){.op = WIRE_SYM_EQ, .bits = 1, .a = read, .immediate = {1}});
    trc_op *op = add_op(m, WIRE_DECIDE, thread, m->t.nodes.len - 1, value == 1);
    op->size = WIRE_DECIDE_BRANCH;
    op->flags = WIRE_F_FORCED;
    op->site = SITE;
    op->old = value == 1;
    trc_side_vec_push(&m->t.sides, (trc_side){.thread = thread,
                                              .site = SITE,
                                              .before_op = (uint32_t)m->t.ops.len - 1,
                                              .side = value == 1});
}

/* The reader comes first, or the writer. */
static void make_run(maker *m, bool reader_first)
{
    trc_init(&m->t);
    m->t.threads.at[0].name = (td_id){9, 1};
    memset(m->n_reads, 0, sizeof m->n_reads);
    create(m, 1);
    create(m, 2);
    if (reader_first)
        load_and_branch(m, 2, 0);
    add_op(m, WIRE_STORE, 1, X, 1);
    if (!reader_first)
        load_and_branch(m, 2, 1);
    end(m, 1);
    end(m, 2);
    add_op(m, WIRE_EXIT, 0, 0, 0);
    m->t.complete = true;
}

static void test_forest(void **state)
{
    (void)state;
    pth *path = pth_new();
    xpl_forest f;
    xpl_forest_init(&f, path);
    maker m;
    make_run(&m, true);
    xpl_forest_add(&f, &m.t);
    size_t n = f.nodes.len;
    assert_int_equal(n, m.t.ops.len);
    assert_int_equal(f.trees.len, 3);
    xpl_forest_add(&f, &m.t);
    assert_int_equal(f.nodes.len, n);
    assert_int_equal(f.added.len, 0);
    trc_fini(&m.t);
    /* Another value is the same read: only the decision and what follows it are new. */
    make_run(&m, false);
    xpl_forest_add(&f, &m.t);
    assert_int_equal(f.nodes.len, n + 2);
    assert_int_equal(f.lost.changed + f.lost.values + f.lost.mixed, 0);
    assert_int_equal(f.places.len, 1);
    assert_int_equal(f.places.at[0].writes.len, 1);
    assert_true(f.places.at[0].is_known && f.places.at[0].value == 0);
    trc_fini(&m.t);
    xpl_forest_fini(&f);
    pth_free(path);
}

/* The node of the reader's load. */
static uint32_t load_of(const xpl_forest *f)
{
    for (uint32_t i = 0; i < f->nodes.len; i++)
        if (f->nodes.at[i].kind == WIRE_LOAD)
            return i;
    return XPL_NONE;
}

static void test_candidates(void **state)
{
    (void)state;
    pth *path = pth_new();
    xpl_forest f;
    xpl_forest_init(&f, path);
    maker m;
    make_run(&m, true);
    xpl_forest_add(&f, &m.t);
    xpl_checker c;
    xpl_checker_init(&c, &f, &(xpl_opts){0});
    uint32_t load = load_of(&f), decide = f.nodes.at[load].first;
    xpl_target t = {.aim = XPL_AIM_SIDE,
                    .tree = f.nodes.at[load].tree,
                    .before = load,
                    .question = f.nodes.at[decide].question,
                    .object = XPL_NONE,
                    .other = XPL_NONE,
                    .side = 1};
    xpl_scenario s = {0};
    /* By itself the reader finds 0, and the read is to blame. */
    assert_int_equal(xpl_check(&c, &s, &t), XPL_IMPOSSIBLE);
    assert_int_equal(c.core.len, 1);
    assert_int_equal(c.core.at[0], load);
    t.side = 0;
    assert_int_equal(xpl_check(&c, &s, &t), XPL_POSSIBLE);
    /* It sees the writer's 1: create, create, store, load. */
    t.side = 1;
    uint32_t write = f.places.at[0].writes.at[0];
    assert_true(xpl_scenario_reach(&s, &f, &t, write));
    xpl_scenario_couple(&s, load, write);
    assert_false(xpl_scenario_before(&s, &f, write, load));
    assert_int_equal(xpl_check(&c, &s, &t), XPL_POSSIBLE);
    assert_int_equal(c.steps.len, 3);
    assert_int_equal(c.steps.at[0].thread, 0);
    assert_int_equal(c.steps.at[0].count, 2);
    assert_int_equal(c.steps.at[1].thread, 1);
    assert_int_equal(c.steps.at[2].thread, 2);
    /* 0 cannot be read then, and no other source is left. */
    t.side = 0;
    assert_int_equal(xpl_check(&c, &s, &t), XPL_CONFLICT);
    xpl_scenario_fini(&s);
    xpl_checker_fini(&c);
    trc_fini(&m.t);
    xpl_forest_fini(&f);
    pth_free(path);
}

/* ---- the search ---- */

/* Runs the program by the schedule of a job. */
static void run_job(maker *m, const xpl_job *job)
{
    bool reader_first = true;
    for (size_t i = 0; i < job->n_steps; i++)
        if (job->steps[i].thread > 0) {
            reader_first = job->steps[i].thread == 2;
            break;
        }
    make_run(m, job->n_steps == 0 || reader_first);
    m->t.job = job->id;
}

static void test_search(void **state)
{
    (void)state;
    const xpl_search *search = xpl_search_find("interfere");
    xpl *x = search->new (&(xpl_opts){.n_sides = 2, .interferences = UINT32_MAX});
    xpl_job job;
    int n_runs = 0;
    while (search->next(x, &job)) {
        assert_true(++n_runs < 5);
        maker m;
        run_job(&m, &job);
        search->feed(x, &m.t);
        trc_fini(&m.t);
    }
    assert_int_equal(n_runs, 2);
    assert_true(search->complete(x));
    xpl_side_vec sides = {0};
    uint64_t n_candidates = 0;
    search->sides(x, &sides, &n_candidates);
    assert_int_equal(sides.len, 2);
    for (size_t i = 0; i < sides.len; i++)
        assert_int_equal(sides.at[i].degree, sides.at[i].side);
    xpl_gap gaps[4];
    assert_int_equal(xpl_gaps(x, gaps, 4), 0);
    xpl_side_vec_fini(&sides);
    search->free(x);
}

static int finish(void **state)
{
    (void)state;
    xpl_problem_fini(&problem);
    xpl_temporal_fini(&temporal);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_reads),
        cmocka_unit_test(test_order_in_a_circle),
        cmocka_unit_test(test_order_of_sections),
        cmocka_unit_test(test_order_waits_for_a_lock),
        cmocka_unit_test(test_order_of_primitives),
        cmocka_unit_test(test_order_of_rounds),
        cmocka_unit_test(test_order_of_ends),
        cmocka_unit_test(test_orders_against_all),
        cmocka_unit_test(test_forest),
        cmocka_unit_test(test_candidates),
        cmocka_unit_test(test_search),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
