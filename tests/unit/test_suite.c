/* SPDX-License-Identifier: Apache-2.0 */
/* Which recordings a suite keeps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "suite/minimize.h"

#define MAX_RUNS 10u
#define MAX_ITEMS 12u

/* Runs as bits of what they cover. */
typedef struct corpus {
    uint32_t bits[MAX_RUNS];
    ses_item items[MAX_RUNS][MAX_ITEMS];
    sui_candidate all[MAX_RUNS];
    size_t n;
} corpus;

static void corpus_set(corpus *c, const uint32_t *bits, size_t n)
{
    *c = (corpus){.n = n};
    for (size_t i = 0; i < n; i++) {
        c->bits[i] = bits[i];
        c->all[i].items = c->items[i];
        for (uint32_t b = 0; b < MAX_ITEMS; b++)
            if (bits[i] >> b & 1)
                c->items[i][c->all[i].n_items++] = (ses_item){SES_ITEM_SIDE, {b + 1, 7}};
    }
}

static uint32_t covered(const corpus *c, size_t without)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < c->n; i++)
        if (c->all[i].is_chosen && i != without)
            bits |= c->bits[i];
    return bits;
}

static uint32_t covered_by_all(const corpus *c)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < c->n; i++)
        bits |= c->bits[i];
    return bits;
}

static size_t n_chosen(const corpus *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        n += c->all[i].is_chosen;
    return n;
}

static void test_choose(void **state)
{
    corpus c;
    sui_choose(NULL, 0);
    /* One covers everything; of two alike the cheaper one. */
    corpus_set(&c, (const uint32_t[]){1, 6, 7, 7, 0}, 5);
    c.all[2].cost = 9;
    c.all[3].cost = 8;
    sui_choose(c.all, c.n);
    assert_int_equal(n_chosen(&c), 1);
    assert_true(c.all[3].is_chosen);
    /* The largest comes first and is not needed in the end. */
    corpus_set(&c, (const uint32_t[]){0x3c, 0x0f, 0xf0}, 3);
    c.all[0].cost = 0;
    c.all[1].cost = c.all[2].cost = 1;
    sui_choose(c.all, c.n);
    assert_int_equal(n_chosen(&c), 2);
    assert_false(c.all[0].is_chosen);
}

/* M1 and M2, on many. */
static void test_choose_random(void **state)
{
    td_rng rng = {20261115};
    for (unsigned k = 0; k < 2000; k++) {
        uint32_t bits[MAX_RUNS];
        size_t n = td_rng_next(&rng) % (MAX_RUNS + 1);
        for (size_t i = 0; i < n; i++) {
            bits[i] = (uint32_t)td_rng_next(&rng) & ((1u << MAX_ITEMS) - 1);
            bits[i] &= (uint32_t)td_rng_next(&rng);
        }
        corpus c;
        corpus_set(&c, bits, n);
        sui_choose(c.all, n);
        uint32_t all = covered_by_all(&c);
        assert_int_equal(covered(&c, SIZE_MAX), all);
        for (size_t i = 0; i < n; i++)
            if (c.all[i].is_chosen)
                assert_int_not_equal(covered(&c, i), all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choose),
        cmocka_unit_test(test_choose_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
