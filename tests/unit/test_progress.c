/* SPDX-License-Identifier: Apache-2.0 */
/* What a session says while it runs: the estimates, the line, the screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/rng.h"
#include "explore/core/target_estimate.h"
#include "explore/core/alternatives.h"
#include "explore/core/spread.h"
#include "records.h"
#include "report/report.h"
#include "session/progress.h"

/* ---- estimate ---- */

/* A tree that is searched depth first: a node of a level has a number of children that depends on
 * the level, and on chance. */
typedef struct tree {
    xpl_estimate estimate;
    uint64_t open[XPL_CLASSES];
    td_rng rng;
    uint64_t n_done;
    uint32_t stack[4096];
    size_t n_stack;
} tree;

enum { TREE_LEVELS = 14 };

static uint32_t children_of(tree *t, uint32_t level)
{
    return level < TREE_LEVELS ? (uint32_t)td_rng_below(&t->rng, 5) : 0;
}

static void tree_expand(tree *t, uint32_t level)
{
    for (uint32_t n = level == 0 ? 4 : children_of(t, level); n > 0; n--) {
        uint32_t class = xpl_estimate_class(level + 1, 0);
        xpl_estimate_add(&t->estimate, xpl_estimate_class(level, 0), class);
        t->open[class]++;
        assert_true(t->n_stack < 4096);
        t->stack[t->n_stack++] = level + 1;
    }
    t->n_done++;
}

static void tree_step(tree *t)
{
    uint32_t level = t->stack[--t->n_stack];
    t->open[xpl_estimate_class(level, 0)]--;
    tree_expand(t, level);
}

static void test_estimate_of_a_tree(void **state)
{
    (void)state;
    unsigned n_good = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        tree *t = td_alloc(sizeof *t), *again = td_alloc(sizeof *t);
        t->rng.state = again->rng.state = seed;
        for (tree_expand(t, 0); t->n_stack > 0;)
            tree_step(t);
        uint64_t total = t->n_done;
        assert_int_equal(xpl_estimate_done(&t->estimate, t->open), total);
        assert_true(xpl_estimate_left(&t->estimate, t->open) == 0);
        for (tree_expand(again, 0); again->n_done < total / 5;)
            tree_step(again);
        double left = xpl_estimate_left(&again->estimate, again->open);
        double truth = (double)(total - again->n_done);
        n_good += left > truth / 3 && left < truth * 3;
        xpl_estimate_fini(&t->estimate);
        xpl_estimate_fini(&again->estimate);
        td_free(t);
        td_free(again);
    }
    assert_true(n_good >= 18);
}

static void test_estimate_of_nothing(void **state)
{
    (void)state;
    xpl_estimate g = {0};
    uint64_t open[XPL_CLASSES] = {0};
    assert_true(xpl_estimate_left(&g, open) == 0);
    assert_int_equal(xpl_estimate_done(&g, open), 0);
    /* The first run has found three targets; nothing is known of what they lead to. */
    uint32_t class = xpl_estimate_class(3, 1);
    for (int i = 0; i < 3; i++)
        xpl_estimate_add(&g, 0, class);
    open[class] = 3;
    assert_int_equal(xpl_estimate_done(&g, open), 1);
    assert_true(xpl_estimate_left(&g, open) == 3);
    xpl_estimate_fini(&g);
}

/* A level that leads to itself again and again: finite, whatever happens. */
static void test_estimate_within_a_level(void **state)
{
    (void)state;
    xpl_estimate g = {0};
    uint64_t open[XPL_CLASSES] = {0};
    uint32_t last = xpl_estimate_class(100000, XPL_KINDS - 1);
    assert_true(last < XPL_CLASSES);
    for (int i = 0; i < 1000; i++)
        xpl_estimate_add(&g, last, last);
    open[last] = 10;
    double left = xpl_estimate_left(&g, open);
    assert_true(isfinite(left) && left >= 10);
    xpl_estimate_fini(&g);
}

/* ---- interleavings ---- */

static double spread_of(recs *r)
{
    trc t;
    td_diag diag = {0};
    xpl_spread s = {0};
    trc_init(&t);
    rec_done(r, WIRE_DONE_EXIT);
    if (recs_decode(r, &t, &diag) != TD_OK)
        fail_msg("%s", diag.text);
    assert_true(xpl_spread_log2(&s) < 0);
    for (int i = 0; i < 2000; i++)
        xpl_spread_add(&s, &t);
    assert_true(s.n <= XPL_SAMPLED_RUNS);
    double log = xpl_spread_log2(&s);
    xpl_spread_fini(&s);
    trc_fini(&t);
    recs_fini(r);
    return log;
}

/* main creates n threads without a choice. */
static recs threads_of(uint32_t n)
{
    recs r = {0};
    for (uint32_t i = 0; i < n; i++) {
        rec_create(&r, 0);
        r.v.at[r.v.len - 2].flags = WIRE_F_FORCED;
        r.n_choices--;
    }
    return r;
}

static void test_spread(void **state)
{
    (void)state;
    /* Two threads, five stores each, to different variables: 252 orders. */
    recs r = threads_of(2);
    for (uint32_t i = 0; i < 10; i++)
        rec_op(&r, WIRE_STORE, 1 + i % 2, 0x5000 + 0x100 * (i % 2), 0);
    double orders = exp2(spread_of(&r));
    assert_true(orders > 252 * 0.9 && orders < 252 * 1.1);
    /* To the same variable: one. */
    r = threads_of(2);
    for (uint32_t i = 0; i < 10; i++)
        rec_op(&r, WIRE_STORE, 1 + i % 2, 0x5000, 0);
    assert_true(spread_of(&r) == 0);
    /* Three threads, one reads what each of the others wrote: 2 orders of the writes. */
    r = threads_of(3);
    rec_op(&r, WIRE_STORE, 1, 0x5000, 0);
    rec_op(&r, WIRE_STORE, 2, 0x5100, 0);
    rec_op(&r, WIRE_LOAD, 3, 0x5000, 0);
    rec_op(&r, WIRE_LOAD, 3, 0x5100, 0);
    orders = exp2(spread_of(&r));
    assert_true(orders > 3 * 0.9 && orders < 3 * 1.1);
}

/* ---- alternatives ---- */

static xpl_alternatives alternatives_of(recs *r, int n_times)
{
    trc t;
    td_diag diag = {0};
    xpl_alternatives a = {0};
    trc_namer *namer = trc_namer_new(NULL, 0);
    trc_init(&t);
    rec_done(r, WIRE_DONE_EXIT);
    if (recs_decode(r, &t, &diag) != TD_OK)
        fail_msg("%s", diag.text);
    trc_identify(&t, namer);
    for (int i = 0; i < n_times; i++)
        xpl_alternatives_add(&a, &t);
    trc_namer_free(namer);
    trc_fini(&t);
    recs_fini(r);
    return a;
}

/* Two threads store to one variable in turns: each store can come before the one before it. What
 * one thread does alone is in no pair. */
static void test_alternatives(void **state)
{
    (void)state;
    recs r = threads_of(2);
    for (uint32_t i = 0; i < 10; i++) {
        rec_op(&r, WIRE_STORE, 1 + i % 2, 0x5000, 0)->site = 7 + i % 2;
        rec_op(&r, WIRE_STORE, 1, 0x6000, 0);
    }
    xpl_alternatives a = alternatives_of(&r, 1000);
    assert_int_equal(a.n_pairs, 9); /* not 9000 */
    assert_int_equal(a.spots.len, 1);
    const xpl_spot *s = &a.spots.at[0];
    assert_true(s->object == 0x5000 && s->n == 9);
    assert_int_equal(s->n_threads, 2);
    assert_int_equal(s->most_uses, 5);
    assert_int_equal(s->sites.len, 2);
    assert_true(s->sites.at[0].n == 9 && s->sites.at[1].n == 9);
    assert_int_equal(a.n_runs, 1000);
    assert_true(a.n_sampled >= XPL_ALTERNATIVES_RUNS &&
                a.n_sampled < 4 * XPL_ALTERNATIVES_RUNS);
    assert_false(a.is_cut);
    xpl_alternatives_fini(&a);
    assert_int_equal(a.n_sampled + a.n_pairs + a.spots.len, 0);
    xpl_alternatives_fini(&a);
}

/* The two locks of critical sections can change places, their ends cannot. */
static void test_alternatives_locks(void **state)
{
    (void)state;
    recs r = threads_of(2);
    for (uint32_t i = 1; i <= 2; i++) {
        rec_op(&r, WIRE_LOCK, i, 0x5000, 0);
        rec_op(&r, WIRE_UNLOCK, i, 0x5000, 0);
    }
    xpl_alternatives a = alternatives_of(&r, 1);
    assert_int_equal(a.n_pairs, 1);
    assert_int_equal(a.spots.at[0].most_uses, 1); /* an unlock is not another use */
    xpl_alternatives_fini(&a);
}

/* Of a long run the beginning is looked at. */
static void test_alternatives_long(void **state)
{
    (void)state;
    recs r = threads_of(2);
    for (uint32_t i = 0; i < 3 * XPL_ALTERNATIVES_OPS; i++)
        rec_op(&r, WIRE_STORE, 1 + i % 2, 0x5000, 0);
    xpl_alternatives a = alternatives_of(&r, 1);
    assert_true(a.is_cut);
    assert_int_equal(a.n_pairs, XPL_ALTERNATIVES_OPS - 2 - 1); /* two are creates */
    xpl_alternatives_fini(&a);
}

/* ---- what remains ---- */

static xpl_left left_of(double runs)
{
    return (xpl_left){.targets = 10, .is_known = true, .runs = runs};
}

static void test_estimate(void **state)
{
    (void)state;
    ses_estimate e = {0};
    assert_false(ses_estimate_now(&e).is_known);
    /* 10,000 runs in all, at 100 a second. */
    for (uint64_t ms = 100; ms <= 50000; ms += 100) {
        xpl_left left = left_of(10000 - (double)ms / 10);
        ses_estimate_add(&e, ms, ms / 10, &left);
        ses_remaining r = ses_estimate_now(&e);
        if (ms < 1000)
            assert_false(r.is_known);
        if (ms >= 2000) {
            assert_true(r.is_known);
            assert_true(fabs(r.share - (double)ms / 100000) < 0.01);
            assert_true(fabs((double)r.ms - (100000 - (double)ms)) < 1000);
        }
    }
    assert_true(e.n <= SES_GUESSES);
    xpl_left none = {.targets = 10};
    ses_estimate_add(&e, 60000, 6000, &none);
    assert_false(ses_estimate_now(&e).is_known);
}

/* Guesses that grow as fast as the runs are no estimate; those that settle are one again. */
static void test_estimate_is_silent(void **state)
{
    (void)state;
    ses_estimate e = {0};
    for (uint64_t ms = 1000; ms <= 60000; ms += 250) {
        double runs = (double)ms;
        xpl_left left = left_of(runs * runs * runs / 1e6);
        ses_estimate_add(&e, ms, ms, &left);
        assert_false(ses_estimate_now(&e).is_known);
    }
    for (uint64_t ms = 60250; ms <= 150000; ms += 250) {
        xpl_left left = left_of(300000 - (double)ms);
        ses_estimate_add(&e, ms, ms, &left);
    }
    ses_remaining r = ses_estimate_now(&e);
    assert_true(r.is_known && r.share > 0.49 && r.share < 0.51);
    xpl_left odd[] = {left_of(NAN), left_of(INFINITY), left_of(-1), left_of(1e300)};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        ses_estimate_add(&e, 150001 + i, 150001 + i, &odd[i]);
        assert_false(ses_estimate_now(&e).is_known);
    }
}

/* After a restart of the search, earlier estimates do not count. */
static void test_estimate_restarts(void **state)
{
    (void)state;
    ses_estimate e = {0};
    for (uint64_t i = 1; i <= 50; i++) {
        xpl_left left = left_of(1000);
        ses_estimate_add(&e, i * 1000, i * 100, &left);
    }
    assert_true(ses_estimate_now(&e).is_known);
    xpl_left left = left_of(1000);
    ses_estimate_add(&e, 51000, 10, &left);
    assert_int_equal(e.n, 1);
    assert_false(ses_estimate_now(&e).is_known);
}

/* ---- the line ---- */

static ses_now now_of(void)
{
    return (ses_now){.ms = 3723000,
                     .runs = 12345678,
                     .events = 987654321,
                     .targets = 1204,
                     .findings = 2,
                     .queries = 17,
                     .rate = 12034.4,
                     .n_sides = 20,
                     .n_taken = 14,
                     .remaining = {.is_known = true, .share = 0.4, .ms = 14 * 60000}};
}

static char *line_of(const ses_now *n, uint32_t columns)
{
    td_text out = {0};
    ses_line_text(n, columns, &out);
    assert_int_equal(strlen(out.at), out.len);
    assert_true(out.len <= columns);
    return out.at;
}

static void check_line(const ses_now *n, uint32_t columns, const char *expected)
{
    char *line = line_of(n, columns);
    assert_string_equal(line, expected);
    td_free(line);
}

static void test_line(void **state)
{
    (void)state;
    ses_now n = now_of();
    check_line(
        &n, 200,
        "treadle: 12.3 M runs, 12,034/s; 988 M events; 1,204 targets; 2 found; sides "
        "14/20; about 40 % done, 14 min left; 1:02:03");
    check_line(&n, 80,
               "treadle: 12.3 M runs, 12,034/s; 2 found; 40 %, 14 min left; 1:02:03");
    check_line(&n, 40, "treadle: 12.3 M runs; 2 found; 1:02:03");
    n.remaining.is_known = false;
    n.n_sides = 0;
    n.targets = 0;
    check_line(&n, 200, "treadle: 12.3 M runs, 12,034/s; 988 M events; 2 found; 1:02:03");
    n.limit_ms = n.ms + 90000;
    check_line(
        &n, 80,
        "treadle: 12.3 M runs, 12,034/s; 988 M events; 2 found; limit in 90 s; 1:02:03");
    n.remaining = (ses_remaining){.is_known = true, .share = 0.001, .ms = UINT64_MAX / 2};
    n.limit_ms = 0;
    check_line(
        &n, 200,
        "treadle: 12.3 M runs, 12,034/s; 988 M events; 2 found; less than 2 % done; "
        "1:02:03");
}

/* Whatever the figures and the width: it fits, and the runs are there. */
static void test_line_fits(void **state)
{
    (void)state;
    for (uint64_t size = 1; size < UINT64_MAX / 20; size *= 7)
        for (uint32_t columns = 40; columns <= 200; columns++) {
            ses_now n = {.ms = size,
                         .runs = size,
                         .events = size * 9,
                         .targets = size * 3,
                         .findings = size % 1000,
                         .rate = (double)size,
                         .n_sides = size,
                         .n_taken = size / 2,
                         .limit_ms = size % 2 ? size * 2 : 0,
                         .remaining = {true, 1 / (double)size, size, 0}};
            char *line = line_of(&n, columns);
            assert_non_null(strstr(line, " run"));
            assert_true(strncmp(line, "treadle: ", 9) == 0);
            td_free(line);
        }
    ses_now n = now_of();
    td_free(line_of(&n, 5));
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        uint64_t n;
        const char *text;
    } numbers[] = {{0, "0"},
                   {999999, "999,999"},
                   {1000000, "1.00 M"},
                   {9994999, "9.99 M"},
                   {9995000, "10.0 M"},
                   {99949999, "99.9 M"},
                   {999499999, "999 M"},
                   {999500000, "1.00 G"},
                   {UINT64_MAX, "18.4 E"}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char text[32];
        ses_short_number(numbers[i].n, text);
        assert_string_equal(text, numbers[i].text);
    }
    char text[32];
    ses_clock(7999, text);
    assert_string_equal(text, "0:07");
    ses_clock(872000, text);
    assert_string_equal(text, "14:32");
    ses_clock(11672000, text);
    assert_string_equal(text, "3:14:32");
}

/* ---- the screen ---- */

static void check_screen(const ses_screen *s, uint32_t columns, uint32_t rows)
{
    td_text out = {0};
    ses_screen_text(s, columns, rows, &out);
    uint32_t n_rows = 0;
    for (const char *line = out.at; *line; n_rows++) {
        size_t n = strcspn(line, "\n");
        assert_true(n <= columns);
        for (size_t i = 0; i < n; i++)
            assert_true(line[i] >= 0x20 && line[i] < 0x7f);
        assert_int_equal(line[n], '\n');
        line += n + 1;
    }
    assert_true(n_rows <= rows);
    if (rows >= 23 && columns >= 40)
        assert_non_null(strstr(out.at, "Ctrl-C ends the session"));
    td_text_fini(&out);
}

static void test_screen(void **state)
{
    (void)state;
    static const ses_screen_finding findings[] = {
        {"assert-71c2", "/a/long/path/to/bank.c", 39},
        {"race-0b4e", "ring.c", 5},
        {"deadlock-5d10", "x\033[2J.c", 1},
    };
    uint32_t rates[SES_RATES];
    for (uint32_t i = 0; i < SES_RATES; i++)
        rates[i] = i * 1000;
    ses_screen s = {
        .now = now_of(),
        .version = "0.1.0",
        .program = "./a_program with \t many arguments that go on and on and on and "
                   "on until the line is full",
        .goal = "states",
        .search = "auto",
        .chosen = "3 threads that interact up to 17 times per run, up to 40 choices and "
                  "2^31 schedules: unfold",
        .traces_counted = true,
        .traces = 5,
        .promoted = 3,
        .preemptions = 2,
        .findings = findings,
        .n_findings = 9,
        .last_found_ms = 5000,
        .n_gaps = 3,
        .last_gap = "not modelled",
        .memory_kb = 123456,
        .load = 1.5,
        .rates = rates,
        .n_rates = SES_RATES};
    for (uint32_t columns = 20; columns <= 200; columns += 4)
        for (uint32_t rows = 1; rows <= 30; rows++)
            check_screen(&s, columns, rows);
    td_text out = {0};
    ses_screen_text(&s, 80, 23, &out);
    static const char *const words[] = {"treadle 0.1.0",
                                        "elapsed 1:02:03",
                                        "about 40 % done, 14 min left",
                                        "[################....",
                                        "targets 1,204",
                                        "sides 14 of 20 (70 %)",
                                        "all with 2 preemptions",
                                        "3 lines, the last one: not modelled",
                                        "assert-71c2",
                                        "bank.c:39",
                                        "and 7 more",
                                        "queries 17",
                                        "search auto, seed 0",
                                        "3 racing sites promoted",
                                        "memory 120 MiB",
                                        "load 1.50",
                                        "runs/s, up to 59,000"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strstr(out.at, words[i]))
            fail_msg("no '%s' in\n%s", words[i], out.at);
    td_text_fini(&out);
}

/* ---- the condition of a branch ---- */

static void test_condition(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        {"if (argc != 3) return 2;", "argc != 3"},
        {"} else if (f(a, b) && c) {", "f(a, b) && c"},
        {"for (int i = 0; i < n; i++) {", "i < n"},
        {"while (x)", "x"},
        {"switch(kind) {", "kind"},
        {"assert(room >= wanted);", "room >= wanted"},
        {"return a ? b : c;", "return a ? b : c"},
        {"if (a &&", "a &&"},
        {"if (", ""},
        {"iffy(1);", "iffy(1)"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        td_text out = {0};
        rep_condition_text(lines[i][0], &out);
        assert_string_equal(out.at ? out.at : "", lines[i][1]);
        td_text_fini(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_estimate_of_a_tree),
        cmocka_unit_test(test_estimate_of_nothing),
        cmocka_unit_test(test_estimate_within_a_level),
        cmocka_unit_test(test_spread),
        cmocka_unit_test(test_alternatives),
        cmocka_unit_test(test_alternatives_locks),
        cmocka_unit_test(test_alternatives_long),
        cmocka_unit_test(test_estimate),
        cmocka_unit_test(test_estimate_is_silent),
        cmocka_unit_test(test_estimate_restarts),
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_line_fits),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_screen),
        cmocka_unit_test(test_condition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
