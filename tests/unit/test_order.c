/* SPDX-License-Identifier: Apache-2.0 */
/* The partial order of runs that are written here as records, and their races. */
#include "trace/order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"
#include "records.h"

enum { X = 0x5000, Y = 0x5100, M = 0x6000, W = 0x6100, C = 0x6200 };

typedef struct bench {
    recs r;
    trc t;
    trc_order *o;
    trc_race_vec races;
    trc_u32_vec starters;
} bench;

/* main has created threads 1..n, without a choice. */
static void bench_init(bench *b, uint32_t n)
{
    *b = (bench){.o = trc_order_new()};
    trc_init(&b->t);
    for (uint32_t i = 0; i < n; i++) {
        rec_create(&b->r, 0);
        b->r.v.at[b->r.v.len - 2].flags = WIRE_F_FORCED;
        b->r.n_choices--;
    }
}

static void bench_take(bench *b, uint8_t how)
{
    td_diag diag = {0};
    rec_done(&b->r, how);
    if (recs_decode(&b->r, &b->t, &diag) != TD_OK)
        fail_msg("%s", diag.text);
    trc_order_take(b->o, &b->t);
    trc_order_races(b->o, 0, &b->races);
    trc_order_last_races(b->o, &b->races);
}

static void bench_fini(bench *b)
{
    trc_order_free(b->o);
    trc_fini(&b->t);
    trc_race_vec_fini(&b->races);
    trc_u32_vec_fini(&b->starters);
    recs_fini(&b->r);
}

static void wants(bench *b, uint8_t kind, uint32_t thread, uint64_t object)
{
    rec_note(&b->r, WIRE_NOTE_NEXT, kind, thread, 0)->object = object;
}

static bool has_race(const bench *b, uint32_t first, uint32_t second)
{
    for (size_t i = 0; i < b->races.len; i++)
        if (b->races.at[i].first == first && b->races.at[i].second == second)
            return true;
    return false;
}

/* ---- races ---- */

static void test_accesses(void **state)
{
    (void)state;
    bench b;
    bench_init(&b, 3);
    rec_op(&b.r, WIRE_STORE, 1, X, 0);
    rec_op(&b.r, WIRE_LOAD, 2, X, 0);
    rec_op(&b.r, WIRE_LOAD, 3, X, 0);
    rec_op(&b.r, WIRE_STORE, 3, X + 2, 0); /* two bytes of both */
    bench_take(&b, WIRE_DONE_EXIT);
    assert_int_equal(trc_order_len(b.o), 4);
    assert_true(has_race(&b, 0, 1) && has_race(&b, 0, 2) && has_race(&b, 1, 3));
    assert_int_equal(b.races.len, 3);
    assert_true(trc_order_before(b.o, 0, 3) && trc_order_before(b.o, 1, 3));
    assert_false(trc_order_before(b.o, 1, 2));
    bench_fini(&b);
}

/* The locks race, not the ends of the critical sections. */
static void test_locks(void **state)
{
    (void)state;
    bench b;
    bench_init(&b, 2);
    for (uint32_t t = 1; t <= 2; t++) {
        rec_op(&b.r, WIRE_LOCK, t, M, 0);
        rec_op(&b.r, WIRE_STORE, t, X, 0);
        rec_op(&b.r, WIRE_UNLOCK, t, M, 0);
    }
    bench_take(&b, WIRE_DONE_EXIT);
    assert_int_equal(b.races.len, 1);
    assert_true(has_race(&b, 0, 3));
    trc_order_starters(b.o, &b.races.at[0], &b.starters);
    assert_int_equal(b.starters.len, 1);
    assert_int_equal(b.starters.at[0], 2);
    bench_fini(&b);
}

/* A writer could have come before each of the readers. */
static void test_readers(void **state)
{
    (void)state;
    bench b;
    bench_init(&b, 3);
    rec_op(&b.r, WIRE_RDLOCK, 1, W, 0);
    rec_op(&b.r, WIRE_RDLOCK, 2, W, 0);
    rec_op(&b.r, WIRE_RDUNLOCK, 1, W, 0);
    rec_op(&b.r, WIRE_RDUNLOCK, 2, W, 0);
    rec_op(&b.r, WIRE_WRLOCK, 3, W, 0)->flags = WIRE_F_CLOSED;
    bench_take(&b, WIRE_DONE_EXIT);
    assert_int_equal(b.races.len, 2);
    assert_true(has_race(&b, 0, 4) && has_race(&b, 1, 4));
    bench_fini(&b);
}

static void woken(bench *b, uint8_t n, uint32_t first, uint32_t second)
{
    wire_rec rec = {.kind = WIRE_NOTE_WOKEN, .size = n};
    rec.ids[0] = first;
    rec.ids[1] = second;
    rec_vec_push(&b->r.v, rec);
}

/* One of two is woken, then the other: both could have been the first. */
static void test_woken(void **state)
{
    (void)state;
    bench b;
    bench_init(&b, 3);
    rec_op(&b.r, WIRE_COND_WAIT, 1, C, 0);
    rec_op(&b.r, WIRE_COND_WAIT, 2, C, 0);
    rec_op(&b.r, WIRE_SIGNAL, 3, C, 0);
    woken(&b, 2, 1, 2);
    rec_op(&b.r, WIRE_COND_WAKE, 1, C, 0);
    rec_op(&b.r, WIRE_SIGNAL, 3, C, 0);
    woken(&b, 1, 2, 0);
    rec_op(&b.r, WIRE_COND_WAKE, 2, C, 0);
    bench_take(&b, WIRE_DONE_EXIT);
    /* waits and signals in any order; the wakes with each other */
    assert_true(has_race(&b, 3, 5));
    assert_false(has_race(&b, 4, 5) || has_race(&b, 2, 3));
    assert_true(has_race(&b, 0, 1) && has_race(&b, 1, 2) && has_race(&b, 3, 4));
    assert_int_equal(b.races.len, 4);
    bench_fini(&b);
}

/* Who waits when the run ends could have been first. */
static void test_waiting(void **state)
{
    (void)state;
    bench b;
    bench_init(&b, 2);
    rec_op(&b.r, WIRE_LOCK, 1, M, 0);
    rec_op(&b.r, WIRE_LOCK, 2, M + 8, 0);
    wants(&b, WIRE_LOCK, 1, M + 8);
    wants(&b, WIRE_LOCK, 2, M);
    bench_take(&b, WIRE_DONE_DEADLOCK);
    assert_int_equal(b.races.len, 2);
    assert_true(has_race(&b, 0, TRC_NO_MOVE) && has_race(&b, 1, TRC_NO_MOVE));
    trc_race second = {0, TRC_NO_MOVE, 2, 0};
    trc_order_starters(b.o, &second, &b.starters);
    assert_int_equal(b.starters.len, 1);
    assert_int_equal(b.starters.at[0], 2); /* by its first lock */
    bench_fini(&b);
}

/* The end of the process could have come before what it did not need. */
static void test_stop(void **state)
{
    (void)state;
    bench b;
    bench_init(&b, 2);
    rec_op(&b.r, WIRE_STORE, 1, X, 0);
    rec_op(&b.r, WIRE_STORE, 1, X, 0);
    rec_op(&b.r, WIRE_STORE, 2, Y, 0);
    rec_op(&b.r, WIRE_LOAD, 0, Y, 0);
    rec_op(&b.r, WIRE_EXIT, 0, 0, 0);
    bench_take(&b, WIRE_DONE_EXIT);
    assert_true(trc_order_is_stopped(b.o));
    assert_int_equal(b.races.len, 2);
    assert_true(has_race(&b, 2, 3) && has_race(&b, 1, 4));
    bench_fini(&b);
}

/* What the second needs beside the first has to come before it. */
static void test_starters(void **state)
{
    (void)state;
    bench b;
    bench_init(&b, 3);
    rec_op(&b.r, WIRE_STORE, 1, X, 0);
    rec_op(&b.r, WIRE_STORE, 1, X + 16, 0); /* needs the first */
    rec_op(&b.r, WIRE_STORE, 3, Y, 0);
    rec_op(&b.r, WIRE_LOAD, 2, Y, 0);
    rec_op(&b.r, WIRE_LOAD, 2, X, 0);
    bench_take(&b, WIRE_DONE_EXIT);
    trc_race race = {0, 4, 2, 0};
    assert_true(has_race(&b, 0, 4));
    trc_order_starters(b.o, &race, &b.starters);
    assert_int_equal(b.starters.len, 1);
    assert_int_equal(b.starters.at[0], 3);
    bench_fini(&b);
}

/* ---- the order ---- */

enum { MOST = 40 };

/* The transitive closure, by definition. */
static void close_naively(const bench *b, bool before[MOST][MOST])
{
    uint32_t n = trc_order_len(b->o);
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i <= j; i++) {
            const trc_op *a = &b->t.ops.at[trc_order_at(b->o, i).first];
            const trc_op *c = &b->t.ops.at[trc_order_at(b->o, j).first];
            bool meet =
                a->object < c->object + c->size && c->object < a->object + a->size;
            before[i][j] = a->thread == c->thread ||
                           (meet && !(a->kind == WIRE_LOAD && c->kind == WIRE_LOAD));
        }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                before[i][j] |= before[i][k] && before[k][j];
}

/* Every direct dependence that is not a consequence of others is a race, and no other is. */
static void check_races(const bench *b, bool before[MOST][MOST])
{
    size_t n_races = 0;
    for (uint32_t j = 0; j < trc_order_len(b->o); j++)
        for (uint32_t i = 0; i < j; i++) {
            bool is_direct = before[i][j] &&
                             trc_order_at(b->o, i).thread != trc_order_at(b->o, j).thread;
            for (uint32_t k = i + 1; k < j; k++)
                is_direct &= !(before[i][k] && before[k][j]);
            assert_true(!is_direct || has_race(b, i, j));
            n_races += is_direct;
        }
    assert_true(b->races.len >= n_races);
}

static void test_random_order(void **state)
{
    (void)state;
    td_rng rng = {3};
    for (int round = 0; round < 300; round++) {
        bench b;
        bench_init(&b, 3);
        for (uint32_t i = 0; i < 3 + td_rng_below(&rng, MOST - 3); i++) {
            uint8_t kind = td_rng_below(&rng, 2) ? WIRE_LOAD : WIRE_STORE;
            uint64_t object =
                X + td_rng_below(&rng, round % 2 ? 12 : 3) * (round % 2 ? 1 : 8);
            wire_rec *rec =
                rec_op(&b.r, kind, 1 + (uint32_t)td_rng_below(&rng, 3), object, 0);
            rec->size = round % 2 ? (uint8_t)(1u << td_rng_below(&rng, 4)) : 4;
        }
        bench_take(&b, WIRE_DONE_EXIT);
        static bool before[MOST][MOST];
        memset(before, 0, sizeof before);
        close_naively(&b, before);
        for (uint32_t i = 0; i < trc_order_len(b.o); i++)
            for (uint32_t j = i; j < trc_order_len(b.o); j++)
                assert_int_equal(trc_order_before(b.o, i, j), before[i][j]);
        check_races(&b, before);
        bench_fini(&b);
    }
}

/* A section is one move; creates and joins order. */
static void test_moves(void **state)
{
    (void)state;
    bench b;
    bench_init(&b, 1);
    rec_op(&b.r, WIRE_ATOMIC_BEGIN, 1, WIRE_OBJECT_ATOMIC, 0);
    rec_forced(&b.r, WIRE_STORE, 1, X, 0);
    rec_forced(&b.r, WIRE_ATOMIC_END, 1, WIRE_OBJECT_ATOMIC, 0);
    rec_create(&b.r, 0);
    rec_op(&b.r, WIRE_LOAD, 2, X, 0);
    rec_end(&b.r, 2);
    rec_op(&b.r, WIRE_JOIN, 0, 0, 2);
    bench_take(&b, WIRE_DONE_EXIT);
    assert_int_equal(trc_order_len(b.o), 4);
    assert_int_equal(trc_order_at(b.o, 0).n, 3);
    assert_true(has_race(&b, 0, 2));
    assert_int_equal(b.races.len, 1);
    assert_true(trc_order_before(b.o, 1, 2) && trc_order_before(b.o, 0, 3));
    assert_false(trc_order_before(b.o, 0, 1));
    bench_fini(&b);
}

/* A thread that was created without a choice has no move before its first: there is nothing to read. gcc
 * 14.2 read it nevertheless, for a conditional expression (src/trace/order.c). */
static void test_first_moves(void **state)
{
    (void)state;
    bench b;
    bench_init(&b, 2);
    for (uint32_t i = 0; i < 3; i++)
        rec_op(&b.r, WIRE_STORE, 1, X, 0);
    rec_op(&b.r, WIRE_STORE, 2, X, 0);
    bench_take(&b, WIRE_DONE_EXIT);
    for (uint32_t i = 0; i < 4; i++) {
        trc_move m = trc_order_at(b.o, i);
        assert_int_equal(m.nth, i < 3 ? i + 1 : 1);
        assert_int_equal(m.past, i % 3 == 0 ? TRC_NO_MOVE : i - 1);
    }
    bench_fini(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_moves), cmocka_unit_test(test_accesses),
        cmocka_unit_test(test_locks),       cmocka_unit_test(test_readers),
        cmocka_unit_test(test_woken),       cmocka_unit_test(test_waiting),
        cmocka_unit_test(test_stop),        cmocka_unit_test(test_starters),
        cmocka_unit_test(test_moves),       cmocka_unit_test(test_random_order),
    };
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
