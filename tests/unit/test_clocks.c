/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of runtime/core: vector clocks, against plain arrays, and release sequences of atomics. */
#include "unit/runtime.h"

#include "base/rng.h"

enum { THREADS = 40 };

/* ---- clocks ---- */

static void set_clock(rt_clock *c, const uint32_t *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        rt_clock_set(c, i, values[i]);
}

static void expect_clock(const rt_clock *c, const uint32_t *values, uint32_t n)
{
    assert_int_equal(c->len % RT_CLOCK_STEP, 0);
    assert_true(c->len <= c->cap);
    for (uint32_t i = 0; i < n || i < c->len; i++)
        assert_int_equal(rt_clock_get(c, i), i < n ? values[i] : 0);
}

static void test_clock_grows(void **state)
{
    rt_clock c = {0};
    map_state();
    assert_int_equal(rt_clock_get(&c, 1000), 0);
    rt_clock_set(&c, 3, 7);
    rt_clock_set(&c, 300, 9);
    assert_int_equal(rt_clock_get(&c, 3), 7);
    assert_int_equal(rt_clock_get(&c, 300), 9);
    for (uint32_t i = 0; i < 400; i++)
        if (i != 3 && i != 300)
            assert_int_equal(rt_clock_get(&c, i), 0);
}

/* What an earlier run left in the storage is none of a new clock's. */
static void test_clock_of_used_storage(void **state)
{
    rt_clock old = {0}, c = {0};
    map_state();
    for (uint32_t i = 0; i < THREADS; i++)
        rt_clock_set(&old, i, UINT32_MAX);
    rt_bump_reset();
    rt_clock_set(&c, 17, 5);
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(rt_clock_get(&c, i), i == 17 ? 5 : 0);
}

static void test_storage_is_zero(void **state)
{
    map_state();
    memset(rt_bump(4096), 0xff, 4096);
    rt_bump_reset();
    const uint8_t *again = rt_bump(4096);
    for (int i = 0; i < 4096; i++)
        assert_int_equal(again[i], 0);
    assert_int_equal((uint64_t)rt_bump(1) % 16, 0);
    assert_true((uint8_t *)rt_bump(1) >= again + 4096);
}

static void join_random(td_rng *rng)
{
    uint32_t a[THREADS], b[THREADS], larger[THREADS] = {0};
    uint32_t n_a = (uint32_t)td_rng_below(rng, THREADS + 1);
    uint32_t n_b = (uint32_t)td_rng_below(rng, THREADS + 1);
    rt_clock x = {0}, y = {0}, copy = {0};
    for (uint32_t i = 0; i < THREADS; i++) {
        /* Segments are unsigned: the upper half is larger, not negative. */
        a[i] = (uint32_t)td_rng_next(rng) >> td_rng_below(rng, 32);
        b[i] = (uint32_t)td_rng_next(rng) >> td_rng_below(rng, 32);
        uint32_t in_a = i < n_a ? a[i] : 0, in_b = i < n_b ? b[i] : 0;
        larger[i] = in_a > in_b ? in_a : in_b;
    }
    set_clock(&x, a, n_a);
    set_clock(&y, b, n_b);
    set_clock(&copy, a, THREADS); /* longer than what is copied into it */
    rt_clock_copy(&copy, &x);
    expect_clock(&copy, a, n_a);
    rt_clock_set(&copy, THREADS, 0); /* what it had before does not come back */
    expect_clock(&copy, a, n_a);
    rt_clock_join(&x, &y);
    expect_clock(&x, larger, THREADS);
    expect_clock(&y, b, n_b);
    rt_clock_join(&x, &copy); /* nothing new */
    expect_clock(&x, larger, THREADS);
}

static void test_clock_join(void **state)
{
    td_rng rng = {7};
    for (int wide = 0; wide < 2; wide++) {
        map_state();
        rt->avx2 = wide && __builtin_cpu_supports("avx2");
        for (int i = 0; i < 500; i++) {
            rt_bump_reset();
            join_random(&rng);
        }
    }
}

/* ---- release sequences ---- */

/* What a thread knows that has done so many segments. */
static rt_clock known_to(uint32_t thread, uint32_t segment)
{
    rt_clock c = {0};
    rt_clock_set(&c, thread, segment);
    return c;
}

/* A store that releases: those of others end. */
static void store(rt_object *o, uint32_t thread, const rt_clock *c)
{
    rt_clock_copy(&o->clock, c);
    o->head = thread + 1;
}

/* An exchange that releases: those of others go on. */
static void exchange(rt_object *o, uint32_t thread, const rt_clock *c)
{
    if (o->head != thread + 1)
        rt_release_beside(o, thread, c);
    rt_clock_join(&o->clock, c);
}

static void expect_knows(const rt_object *o, uint32_t a, uint32_t b, uint32_t c)
{
    assert_int_equal(rt_clock_get(&o->clock, 1), a);
    assert_int_equal(rt_clock_get(&o->clock, 2), b);
    assert_int_equal(rt_clock_get(&o->clock, 3), c);
}

/* A plain store of a thread that has a sequence ends those of the others and goes on with its own. */
static void test_store_ends_others(void **state)
{
    rt_object o = {0};
    map_state();
    rt_clock one = known_to(1, 10), two = known_to(2, 20), three = known_to(3, 30);
    store(&o, 1, &one);
    assert_int_equal(o.head, 2);
    exchange(&o, 2, &two);
    assert_int_equal(o.head, RT_SEVERAL);
    expect_knows(&o, 10, 20, 0);
    exchange(&o, 3, &three);
    expect_knows(&o, 10, 20, 30);
    assert_true(rt_release_only(&o, 2));
    assert_int_equal(o.head, 3);
    expect_knows(&o, 0, 20, 0);
}

/* A store of a thread that has none ends them all. */
static void test_store_of_another(void **state)
{
    rt_object o = {0};
    map_state();
    rt_clock one = known_to(1, 10), two = known_to(2, 20);
    store(&o, 1, &one);
    exchange(&o, 2, &two);
    assert_false(rt_release_only(&o, 3));
    assert_int_equal(o.head, RT_SEVERAL); /* that is the caller's to end */
}

/* An exchange on an object that nobody released starts a sequence of its own. */
static void test_first_exchange(void **state)
{
    rt_object o = {0};
    map_state();
    rt_clock two = known_to(2, 20), later = known_to(2, 25);
    exchange(&o, 2, &two);
    assert_int_equal(o.head, 3);
    exchange(&o, 2, &later);
    assert_int_equal(o.head, 3);
    expect_knows(&o, 0, 25, 0);
}

/* A thread that exchanges twice has one sequence, with both of its clocks. */
static void test_own_sequence_grows(void **state)
{
    rt_object o = {0};
    map_state();
    rt_clock one = known_to(1, 10), two = known_to(2, 20), again = known_to(2, 21);
    store(&o, 1, &one);
    exchange(&o, 2, &two);
    rt_clock_set(&again, 3, 5); /* it has learnt of thread 3 meanwhile */
    exchange(&o, 2, &again);
    exchange(&o, 2, &two); /* relaxed, behind an older fence: it releases less */
    assert_true(rt_release_only(&o, 2));
    expect_knows(&o, 0, 21, 5);
}

/* Old places of heads are used again, without their clocks. */
static void test_many_heads(void **state)
{
    rt_object o = {0};
    map_state();
    for (int round = 0; round < 3; round++) {
        rt_clock first = known_to(0, 1);
        store(&o, 0, &first);
        for (uint32_t i = 1; i < 20; i++) {
            rt_clock c = known_to(i, 100 * (uint32_t)round + i);
            exchange(&o, i, &c);
        }
        uint32_t kept = 5 + (uint32_t)round;
        assert_true(rt_release_only(&o, kept));
        for (uint32_t i = 0; i < 20; i++)
            assert_int_equal(rt_clock_get(&o.clock, i),
                             i == kept ? 100 * (uint32_t)round + i : 0);
    }
}

/* What a round of a loop did to an object is undone. */
static void test_save_and_restore(void **state)
{
    rt_object o = {0};
    rt_released saved = {0};
    map_state();
    rt_clock one = known_to(1, 10), two = known_to(2, 20), later = known_to(2, 29),
             three = known_to(3, 30);
    store(&o, 1, &one);
    rt_release_save(&o, 2, &saved);
    exchange(&o, 2, &two);
    rt_release_restore(&o, 2, &saved);
    assert_int_equal(o.head, 2);
    expect_knows(&o, 10, 0, 0);
    exchange(&o, 2, &two);
    rt_release_save(&o, 2, &saved); /* several now, its own among them */
    exchange(&o, 2, &later);
    exchange(&o, 3, &three);
    rt_release_restore(&o, 2, &saved);
    expect_knows(&o, 10, 20, 0);
    assert_false(rt_release_only(&o, 3));
    assert_true(rt_release_only(&o, 2));
    expect_knows(&o, 0, 20, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock_grows),
        cmocka_unit_test(test_clock_of_used_storage),
        cmocka_unit_test(test_clock_join),
        cmocka_unit_test(test_storage_is_zero),
        cmocka_unit_test(test_store_ends_others),
        cmocka_unit_test(test_store_of_another),
        cmocka_unit_test(test_first_exchange),
        cmocka_unit_test(test_own_sequence_grows),
        cmocka_unit_test(test_many_heads),
        cmocka_unit_test(test_save_and_restore),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
