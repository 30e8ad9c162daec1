/* SPDX-License-Identifier: Apache-2.0 */
/* What the goal races is made of: which operations are visible in hand-made runs, what remains of
 * a run without the others, and which parts of threads are suspects. */
#include "explore/races/visibility.h"
#include "explore/races/hidden_races.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "records.h"

enum { M = 0x100, N = 0x200, X = 0x1000, Y = 0x2000, FLAG = 0x3000 };

typedef struct world {
    recs r;
    trc t;
    trc_namer *namer;
    xpl_visibility *visibility;
    bool hidden[64], next_hidden[8];
} world;

static void world_init(world *w)
{
    *w = (world){.namer = trc_namer_new(NULL, 0), .visibility = xpl_visibility_new()};
    trc_init(&w->t);
}

static void world_fini(world *w)
{
    xpl_visibility_free(w->visibility);
    trc_namer_free(w->namer);
    trc_fini(&w->t);
    recs_fini(&w->r);
}

static void touch(recs *r, uint8_t how, uint32_t thread, uint32_t site, uint64_t at)
{
    wire_rec *rec = rec_note(r, WIRE_NOTE_TOUCH, how, thread, at + 4);
    rec->object = at;
    rec->site = site;
}

/* A read of four bytes after so many operations had a say. */
static wire_rec *use(recs *r, uint32_t thread, uint32_t n_ops, uint64_t at)
{
    wire_rec *rec = rec_note(r, WIRE_NOTE_USED, 0, thread, 4);
    rec->object = at;
    rec->count = n_ops;
    return rec;
}

static void decode(world *w)
{
    td_diag diag = {0};
    if (recs_decode(&w->r, &w->t, &diag) != TD_OK)
        fail_msg("%s", diag.text);
    trc_identify(&w->t, w->namer);
}

/* True if more became visible. */
static bool learn(world *w)
{
    decode(w);
    bool grew = xpl_visibility_learn(w->visibility, &w->t);
    assert_false(xpl_visibility_learn(w->visibility, &w->t));
    xpl_visibility_hidden(w->visibility, &w->t, w->hidden, w->next_hidden);
    return grew;
}

static uint32_t n_hidden(const world *w)
{
    uint32_t n = 0;
    for (size_t i = 0; i < w->t.ops.len; i++)
        n += w->hidden[i];
    return n;
}

/* A section of m in which x is accessed; operations are number first and the next. */
static void section(recs *r, uint32_t thread, uint64_t m, uint8_t how, uint64_t x)
{
    rec_op(r, WIRE_LOCK, thread, m, 0);
    touch(r, how, thread, 10 + thread, x);
    rec_op(r, WIRE_UNLOCK, thread, m, 0);
}

static void both_end(recs *r)
{
    rec_end(r, 1);
    rec_end(r, 2);
    rec_op(r, WIRE_EXIT, 0, 0, 0);
    rec_done(r, WIRE_DONE_EXIT);
}

/* ---- what is visible ---- */

static void test_nothing_is_used(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    rec_create(&w.r, 0);
    rec_create(&w.r, 0);
    section(&w.r, 1, M, WIRE_TOUCH_WRITE, X);
    section(&w.r, 2, M, WIRE_TOUCH_WRITE, X);
    rec_op(&w.r, WIRE_STORE, 1, FLAG, 1);
    rec_op(&w.r, WIRE_LOAD, 2, FLAG, 1);
    both_end(&w.r);
    assert_false(learn(&w));
    assert_int_equal(n_hidden(&w), 6);
    assert_true(xpl_visibility_all(w.visibility));
    assert_false(xpl_visibility_all(w.visibility));
    learn(&w);
    assert_int_equal(n_hidden(&w), 0);
    world_fini(&w);
}

/* The lock that was held at the use is visible, and so is one that has it in its section; another
 * one is not. */
static void test_locks_of_a_use(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    rec_create(&w.r, 0);
    rec_create(&w.r, 0);
    section(&w.r, 1, M, WIRE_TOUCH_WRITE, X); /* 2, 3 */
    section(&w.r, 1, N, WIRE_TOUCH_WRITE, Y); /* 4, 5 */
    rec_op(&w.r, WIRE_LOCK, 2, N + 8, 0);     /* 6 */
    section(&w.r, 2, M, WIRE_TOUCH_READ, X);  /* 7, 8 */
    rec_op(&w.r, WIRE_UNLOCK, 2, N + 8, 0);   /* 9 */
    use(&w.r, 2, 8, X);
    both_end(&w.r);
    assert_true(learn(&w));
    for (size_t i = 0; i < w.t.ops.len; i++)
        assert_int_equal(w.hidden[i], i == 4 || i == 5);
    world_fini(&w);
}

/* Who wrote before the thread was created, or was joined, or is the thread itself, does not
 * count. */
static void test_uses_that_are_ordered(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    touch(&w.r, WIRE_TOUCH_WRITE, 0, 5, X);
    rec_create(&w.r, 0);                      /* 0 */
    rec_create(&w.r, 0);                      /* 1 */
    section(&w.r, 1, M, WIRE_TOUCH_READ, X);  /* 2, 3 */
    section(&w.r, 2, M, WIRE_TOUCH_WRITE, Y); /* 4, 5 */
    use(&w.r, 1, 3, X);
    use(&w.r, 2, 5, Y);
    rec_end(&w.r, 2);                        /* 6 */
    rec_op(&w.r, WIRE_JOIN, 0, 0, 2);        /* 7 */
    section(&w.r, 0, N, WIRE_TOUCH_READ, Y); /* 8, 9 */
    use(&w.r, 0, 9, Y);
    rec_end(&w.r, 1);
    rec_op(&w.r, WIRE_EXIT, 0, 0, 0);
    rec_done(&w.r, WIRE_DONE_EXIT);
    assert_false(learn(&w));
    assert_int_equal(n_hidden(&w), 6);
    world_fini(&w);
}

/* Atomic accesses to the bytes of a use; a later run tells of who writes there. */
static void test_another_run_tells(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    rec_create(&w.r, 0);
    rec_create(&w.r, 0);
    rec_op(&w.r, WIRE_LOAD, 1, FLAG, 0); /* 2 */
    rec_op(&w.r, WIRE_LOAD, 1, X, 0);    /* 3 */
    use(&w.r, 1, 3, FLAG);
    both_end(&w.r);
    assert_false(learn(&w));
    assert_int_equal(n_hidden(&w), 2);

    recs_clear(&w.r);
    rec_create(&w.r, 0);
    rec_create(&w.r, 0);
    rec_op(&w.r, WIRE_STORE, 2, FLAG, 1); /* 2 */
    rec_op(&w.r, WIRE_STORE, 2, X, 1);    /* 3 */
    both_end(&w.r);
    assert_true(learn(&w));
    assert_false(w.hidden[2]);
    assert_true(w.hidden[3]);
    world_fini(&w);
}

/* A mutex that is tried, one that is destroyed while another thread may take it, a
 * compare-exchange. */
static void test_always_visible(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    rec_op(&w.r, WIRE_INIT, 0, M, 0); /* 0 */
    rec_op(&w.r, WIRE_INIT, 0, N, 0); /* 1 */
    rec_create(&w.r, 0);
    rec_create(&w.r, 0);
    section(&w.r, 1, M, WIRE_TOUCH_WRITE, X); /* 4, 5 */
    section(&w.r, 1, N, WIRE_TOUCH_WRITE, Y); /* 6, 7 */
    rec_op(&w.r, WIRE_DESTROY, 2, N, 0);      /* 8 */
    rec_op(&w.r, WIRE_CAS, 2, FLAG, 1);       /* 9 */
    rec_op(&w.r, WIRE_LOAD, 1, FLAG, 1);      /* 10 */
    rec_op(&w.r, WIRE_TRYLOCK, 2, M + 8, 0);  /* 11 */
    rec_op(&w.r, WIRE_UNLOCK, 2, M + 8, 0);   /* 12 */
    rec_op(&w.r, WIRE_RMW, 2, X + 64, 0);     /* 13 */
    both_end(&w.r);
    assert_true(learn(&w));
    for (size_t i = 0; i < w.t.ops.len; i++)
        assert_int_equal(w.hidden[i], i == 0 || i == 4 || i == 5 || i == 13);
    world_fini(&w);
}

/* ---- what remains ---- */

static void test_project(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    rec_create(&w.r, 0);
    rec_create(&w.r, 0);
    section(&w.r, 1, M, WIRE_TOUCH_WRITE, X); /* 2, 3 */
    rec_op(&w.r, WIRE_CAS, 2, FLAG, 1);       /* 4 */
    touch(&w.r, WIRE_TOUCH_READ, 2, 3, Y);
    rec_end(&w.r, 2); /* 5 */
    rec_note(&w.r, WIRE_NOTE_NEXT, WIRE_JOIN, 0, 1);
    rec_note(&w.r, WIRE_NOTE_NEXT, WIRE_LOCK, 1, 0)->object = M;
    rec_done(&w.r, WIRE_DONE_DEPTH);
    learn(&w);
    trc seen;
    trc_project(&w.t, w.hidden, w.next_hidden, &seen);
    assert_int_equal(seen.ops.len, 4);
    assert_int_equal(seen.n_choices, 3);
    assert_int_equal(seen.ops.at[2].kind, WIRE_CAS);
    assert_int_equal(seen.touches.at[0].before_op, 2);
    assert_int_equal(seen.touches.at[1].before_op, 3);
    assert_int_equal(seen.threads.at[2].end_op, 3);
    assert_int_equal(seen.threads.at[1].create_op, 0);
    assert_int_equal(seen.nexts.at[0].kind, WIRE_JOIN);
    assert_int_equal(seen.nexts.at[1].kind, WIRE_NONE);
    assert_int_equal(w.t.ops.len, 6);
    trc_identify(&seen, w.namer);
    assert_int_equal(seen.ops.at[2].after, UINT32_MAX);
    trc_fini(&seen);
    world_fini(&w);
}

static void test_uses_are_checked(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    for (int i = 0; i < 4; i++) {
        recs_clear(&w.r);
        rec_create(&w.r, 0);
        wire_rec *rec = use(&w.r, i == 1 ? 2 : 1, i == 2 ? 2 : 1, X);
        if (i == 3)
            rec->value = UINT64_MAX;
        rec_done(&w.r, WIRE_DONE_EXIT);
        td_diag diag = {0};
        assert_int_equal(recs_decode(&w.r, &w.t, &diag) == TD_OK, i == 0);
    }
    world_fini(&w);
}

/* ---- suspects ---- */

static bool always(void *self, unf_cfg *c)
{
    (void)self;
    (void)c;
    return true;
}

/* Suspects of one run. Fills steps with the schedule of the first. */
static uint32_t suspects(world *w, trc_step_vec *steps)
{
    const td_id_set known = {0};
    trc seen;
    learn(w);
    unf *u = unf_new(w->namer, NULL);
    unf_no_races(u);
    xpl_hidden_races *r = xpl_hidden_races_new(
        &(xpl_hidden_races_opts){.u = u, .known = &known, .feasible = always});
    trc_project(&w->t, w->hidden, w->next_hidden, &seen);
    trc_identify(&seen, w->namer);
    unf_insert(u, &seen);
    xpl_hidden_races_insert(r, &w->t, w->hidden);
    uint32_t n = 0;
    xpl_suspect s;
    unf_cfg *c = unf_cfg_new(u);
    assert_int_equal(unf_n_suspects(u), 0);
    for (; xpl_hidden_races_next(r, &s); n++)
        if (n == 0)
            xpl_hidden_races_schedule(r, &s, c, steps);
    assert_true(xpl_hidden_races_is_empty(r));
    unf_cfg_free(c);
    xpl_hidden_races_free(r);
    unf_free(u);
    trc_fini(&seen);
    return n;
}

/* x is written before a lock and after it: a hidden lock orders nothing, both orders are tried. */
static void test_a_hidden_lock_orders_nothing(void **state)
{
    (void)state;
    world w;
    trc_step_vec steps = {0};
    world_init(&w);
    rec_create(&w.r, 0);
    rec_create(&w.r, 0);
    touch(&w.r, WIRE_TOUCH_WRITE, 1, 11, X);
    section(&w.r, 1, M, WIRE_TOUCH_WRITE, Y);
    section(&w.r, 2, M, WIRE_TOUCH_WRITE, Y);
    touch(&w.r, WIRE_TOUCH_WRITE, 2, 12, X);
    both_end(&w.r);
    assert_int_equal(suspects(&w, &steps), 2);
    /* Two creates, and both operations of thread 2. */
    assert_int_equal(steps.len, 2);
    assert_int_equal(steps.at[0].thread, 0);
    assert_int_equal(steps.at[0].count, 2);
    assert_int_equal(steps.at[1].thread, 2);
    assert_int_equal(steps.at[1].count, 2);
    trc_step_vec_fini(&steps);
    world_fini(&w);
}

/* Each stands in a section of its own in which it went through the other's: no schedule has both. */
static void test_sections_that_exclude_each_other(void **state)
{
    (void)state;
    world w;
    trc_step_vec steps = {0};
    world_init(&w);
    rec_create(&w.r, 0);
    rec_create(&w.r, 0);
    for (uint32_t t = 1; t <= 2; t++) {
        uint64_t outer = t == 1 ? M : N, inner = t == 1 ? N : M;
        rec_op(&w.r, WIRE_LOCK, t, outer, 0);
        rec_op(&w.r, WIRE_LOCK, t, inner, 0);
        rec_op(&w.r, WIRE_UNLOCK, t, inner, 0);
        touch(&w.r, WIRE_TOUCH_WRITE, t, 10 + t, X);
        rec_op(&w.r, WIRE_UNLOCK, t, outer, 0);
    }
    both_end(&w.r);
    assert_int_equal(suspects(&w, &steps), 0);
    trc_step_vec_fini(&steps);
    world_fini(&w);
}

/* Of a lock in common, of reads, and of atomic accesses alone there are none; of an atomic and a
 * plain access there is one order. */
static void test_what_is_no_race(void **state)
{
    (void)state;
    world w;
    trc_step_vec steps = {0};
    world_init(&w);
    rec_create(&w.r, 0);
    rec_create(&w.r, 0);
    section(&w.r, 1, M, WIRE_TOUCH_WRITE, X);
    section(&w.r, 2, M, WIRE_TOUCH_WRITE, X);
    touch(&w.r, WIRE_TOUCH_READ, 1, 21, Y);
    touch(&w.r, WIRE_TOUCH_READ, 2, 22, Y);
    rec_op(&w.r, WIRE_STORE, 1, FLAG, 1)->site = 31;
    rec_op(&w.r, WIRE_STORE, 2, FLAG, 1)->site = 32;
    both_end(&w.r);
    assert_int_equal(suspects(&w, &steps), 0);

    recs_clear(&w.r);
    rec_create(&w.r, 0);
    rec_create(&w.r, 0);
    touch(&w.r, WIRE_TOUCH_READ, 2, 12, FLAG);
    rec_op(&w.r, WIRE_STORE, 1, FLAG, 1)->site = 31;
    rec_op(&w.r, WIRE_LOAD, 2, X, 1)->site = 32;
    both_end(&w.r);
    assert_int_equal(suspects(&w, &steps), 1);
    assert_int_equal(steps.at[steps.len - 1].thread, 1);
    trc_step_vec_fini(&steps);
    world_fini(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_used),
        cmocka_unit_test(test_locks_of_a_use),
        cmocka_unit_test(test_uses_that_are_ordered),
        cmocka_unit_test(test_another_run_tells),
        cmocka_unit_test(test_always_visible),
        cmocka_unit_test(test_project),
        cmocka_unit_test(test_uses_are_checked),
        cmocka_unit_test(test_a_hidden_lock_orders_nothing),
        cmocka_unit_test(test_sections_that_exclude_each_other),
        cmocka_unit_test(test_what_is_no_race),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
