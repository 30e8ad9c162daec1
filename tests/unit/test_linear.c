/* SPDX-License-Identifier: Apache-2.0 */
/* Histories against a naive search: every order of every subset of the open operations. */
#include "runtime/posix/linearize.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <assert.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../include/treadle.h"
#include "base/rng.h"
#include "runtime/core/rt_assert.h"

void rt_assert_failed(const char *text)
{
    fprintf(stderr, "%s\n", text);
    abort();
}

/* ---- layouts ---- */

static_assert(sizeof(wire_call) == sizeof(struct treadle_call), "struct treadle_call");
static_assert(offsetof(wire_call, arg) == offsetof(struct treadle_call, arg), "arg");
static_assert(offsetof(wire_call, n_args) == offsetof(struct treadle_call, n_args),
              "n_args");
static_assert(offsetof(wire_call, choice) == offsetof(struct treadle_call, choice),
              "choice");
static_assert(sizeof(wire_spec) == sizeof(struct treadle_spec), "struct treadle_spec");
static_assert(offsetof(wire_spec, init) == offsetof(struct treadle_spec, init), "init");
static_assert(offsetof(wire_spec, step) == offsetof(struct treadle_spec, step), "step");

/* ---- memory: given back when a test ends ---- */

enum { MAX_PIECES = 1 << 18 };
static void *pieces[MAX_PIECES];
static size_t n_pieces;

static void *piece(size_t size)
{
    assert_true(n_pieces < MAX_PIECES);
    void *p = calloc(1, size);
    assert_non_null(p);
    pieces[n_pieces++] = p;
    return p;
}

static void free_pieces(void)
{
    while (n_pieces > 0)
        free(pieces[--n_pieces]);
}

static void init(const wire_spec *spec, void *state)
{
    if (spec->init)
        spec->init(state);
}

static int step(const wire_spec *spec, void *state, const wire_call *call,
                uint64_t *result)
{
    return spec->step(state, call, result);
}

static const lin_host host = {piece, init, step};

/* ---- specifications; operations are p(ut), t(ake) and others by their first letter ---- */

typedef struct cells {
    uint32_t n;
    uint32_t at[12];
} cells;

static int stack_step(void *state, const wire_call *call, uint64_t *result)
{
    cells *c = state;
    if (call->op[0] == 'p')
        c->at[c->n++] = (uint32_t)call->arg[0];
    else if (c->n > 0) {
        *result = c->at[--c->n];
        c->at[c->n] = 0;
    }
    return 1;
}

static int queue_step(void *state, const wire_call *call, uint64_t *result)
{
    cells *c = state;
    if (call->op[0] == 'p')
        c->at[c->n++] = (uint32_t)call->arg[0];
    else if (c->n > 0) {
        *result = c->at[0];
        memmove(c->at, c->at + 1, sizeof c->at - sizeof c->at[0]);
        c->at[11] = 0;
        c->n--;
    }
    return 1;
}

/* Take waits for something. */
static int waiting_step(void *state, const wire_call *call, uint64_t *result)
{
    return call->op[0] == 't' && ((cells *)state)->n == 0
               ? 0
               : queue_step(state, call, result);
}

/* Take gives any of what is there. */
static int bag_step(void *state, const wire_call *call, uint64_t *result)
{
    cells *c = state;
    if (call->op[0] == 'p') {
        c->at[c->n++] = (uint32_t)call->arg[0];
        return 1;
    }
    int ways = c->n > 0 ? (int)c->n : 1;
    if (c->n > 0) {
        *result = c->at[call->choice];
        c->at[call->choice] = c->at[--c->n];
        c->at[c->n] = 0;
    }
    return ways;
}

static int register_step(void *state, const wire_call *call, uint64_t *result)
{
    cells *c = state;
    if (call->op[0] == 'p')
        c->at[0] = (uint32_t)call->arg[0];
    else
        *result = c->at[0];
    return 1;
}

static const wire_spec specs[] = {{sizeof(cells), NULL, stack_step},
                                  {sizeof(cells), NULL, queue_step},
                                  {sizeof(cells), NULL, waiting_step},
                                  {sizeof(cells), NULL, bag_step},
                                  {sizeof(cells), NULL, register_step}};
enum { N_SPECS = sizeof specs / sizeof specs[0] };

/* ---- naive: operations in any order that keeps what ended before what began ---- */

typedef struct naive {
    const wire_spec *spec;
    const lin_op *ops[16];
    uint32_t n;
} naive;

static bool may_be_next(const naive *v, uint32_t placed, uint32_t i)
{
    for (uint32_t k = 0; k < v->n; k++)
        if (k != i && !(placed >> k & 1) && v->ops[k]->end != 0 &&
            v->ops[k]->end < v->ops[i]->begin)
            return false;
    return !(placed >> i & 1);
}

static bool has_order(const naive *v, uint32_t placed, const cells *state)
{
    bool all = true;
    for (uint32_t i = 0; i < v->n; i++)
        all &= (placed >> i & 1) || v->ops[i]->end == 0;
    if (all)
        return true;
    for (uint32_t i = 0; i < v->n; i++) {
        if (!may_be_next(v, placed, i))
            continue;
        wire_call call = v->ops[i]->call;
        int ways = 1;
        for (call.choice = 0; (int)call.choice < ways; call.choice++) {
            cells next = *state;
            uint64_t result = 0;
            ways = v->spec->step(&next, &call, &result);
            bool wrong = v->ops[i]->end != 0 && v->ops[i]->has_result &&
                         result != v->ops[i]->result;
            if (ways > 0 && !wrong && has_order(v, placed | 1u << i, &next))
                return true;
        }
    }
    return false;
}

static bool naive_explains(const lin *h)
{
    naive v = {.spec = h->spec};
    for (const lin_op *op = h->first; op; op = op->next)
        v.ops[v.n++] = op;
    cells state = {0};
    return has_order(&v, 0, &state);
}

/* ---- an order told by lin_end ---- */

/* The order explains all that ended but the last; in it, that one does what is said. */
static void check_saying(const lin *h, const lin_saying *s, const lin_op *last)
{
    const lin_op *order[16];
    uint32_t n = 0;
    bool seen = false;
    for (const lin_trail *t = s->order; t; t = t->before)
        order[n++] = t->op;
    for (uint32_t i = 0; i < n; i++) {
        seen |= order[i] == last;
        for (uint32_t k = i + 1; k < n; k++) /* order[k] comes before order[i] */
            assert_false(order[i]->end != 0 && order[i]->end < order[k]->begin);
    }
    assert_true(seen);
    for (const lin_op *op = h->first; op; op = op->next) {
        bool placed = false;
        for (uint32_t i = 0; i < n; i++)
            placed |= order[i] == op;
        assert_true(placed || op->end == 0);
    }
    assert_true(!s->possible || s->result != last->result);
}

/* ---- random histories ---- */

/* Results are those of some order, but for a few. */
static uint64_t likely_result(td_rng *rng, const wire_spec *spec, cells *now,
                              const wire_call *call)
{
    uint64_t result = 0;
    cells before = *now;
    if (spec->step(now, call, &result) <= 0)
        *now = before;
    return td_rng_below(rng, 6) == 0 ? td_rng_below(rng, 5) : result;
}

static uint32_t one_history(td_rng *rng, const wire_spec *spec, uint32_t threads)
{
    lin h = {0};
    cells now = {0};
    lin_op *open[5] = {0};
    uint64_t results[5] = {0};
    uint32_t n = 0;
    lin_start(&h, &host, spec);
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t thread = (uint32_t)td_rng_below(rng, threads);
        if (!open[thread]) {
            wire_call call = {td_rng_below(rng, 2) ? "put" : "take", {0}, 1, 0};
            call.arg[0] = call.op[0] == 'p' ? 1 + td_rng_below(rng, 4) : 0;
            if (n++ == 9)
                return 0;
            open[thread] = lin_begin(&h, thread, 0, &call);
            results[thread] = likely_result(rng, spec, &now, &call);
            assert_ptr_equal(lin_open_of(&h, thread), open[thread]);
            continue;
        }
        lin_op *op = open[thread];
        open[thread] = NULL;
        lin_verdict verdict = lin_end(&h, op, results[thread], op->call.op[0] == 't');
        assert_int_equal(verdict == LIN_EXPLAINED, naive_explains(&h));
        assert_null(lin_open_of(&h, thread));
        if (verdict == LIN_EXPLAINED)
            continue;
        assert_true(h.n_sayings > 0);
        for (uint32_t k = 0; k < h.n_sayings; k++)
            check_saying(&h, &h.sayings[k], op);
        return 1;
    }
    return 0;
}

static void test_against_naive(void **state)
{
    (void)state;
    uint32_t wrong = 0, n = 3000;
    for (uint32_t i = 0; i < n; i++) {
        td_rng rng = {i + 1};
        wrong += one_history(&rng, &specs[i % N_SPECS], 2 + i % 4);
        free_pieces();
    }
    /* Both answers are common. */
    assert_true(wrong >= n / 10 && wrong <= n - n / 10);
}

/* ---- by hand ---- */

static lin_op *begin(lin *h, uint32_t thread, const char *op, uint64_t a)
{
    wire_call call = {op, {a}, 1, 0};
    lin_op *made = lin_begin(h, thread, 0, &call);
    assert_non_null(made);
    return made;
}

static void test_real_time(void **state)
{
    (void)state;
    lin h = {0};
    lin_start(&h, &host, &specs[4]);
    lin_op *w = begin(&h, 1, "put", 7);
    lin_op *r = begin(&h, 2, "take", 0);
    assert_int_equal(lin_end(&h, r, 7, true), LIN_EXPLAINED); /* it has happened */
    r = begin(&h, 2, "take", 0);
    assert_int_equal(lin_end(&h, r, 0, true), LIN_NOT_EXPLAINED); /* and stays */
    assert_int_equal(h.n_sayings, 1);
    assert_true(h.sayings[0].possible);
    assert_int_equal(h.sayings[0].result, 7);
    (void)w;
    free_pieces();
}

/* As many as there are places, each taken before the last one ends. */
static void test_all_places(void **state)
{
    (void)state;
    lin h = {0};
    lin_start(&h, &host, &specs[4]);
    lin_op *first = begin(&h, 0, "put", 0);
    for (uint32_t i = 1; i < LIN_OPEN; i++)
        begin(&h, i, "take", 0);
    wire_call call = {"take", {0}, 0, 0};
    assert_null(lin_begin(&h, LIN_OPEN, 0, &call));
    assert_int_equal(lin_end(&h, lin_open_of(&h, 5), 0, true), LIN_TOO_MANY);
    (void)first;
    free_pieces();
}

/* Without overlap a history may be as long as it likes. */
static void test_long(void **state)
{
    (void)state;
    lin h = {0};
    lin_start(&h, &host, &specs[1]);
    for (uint32_t i = 0; i < 10000; i++) {
        lin_op *op = begin(&h, i % 7, "put", i);
        assert_int_equal(lin_end(&h, op, 0, false), LIN_EXPLAINED);
        op = begin(&h, i % 5, "take", 0);
        assert_int_equal(lin_end(&h, op, i, true), LIN_EXPLAINED);
        assert_int_equal(h.now.n, 1);
    }
    lin_op *op = begin(&h, 1, "take", 0);
    assert_int_equal(lin_end(&h, op, 3, true), LIN_NOT_EXPLAINED);
    free_pieces();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_naive),
        cmocka_unit_test(test_real_time),
        cmocka_unit_test(test_all_places),
        cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
