/* SPDX-License-Identifier: Apache-2.0 */
/* What the kinds of operations mean. What the columns of wire/ops.def say is written down here once
 * more, kind by kind and the other way round, so that a slip in the table shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"
#include "trace/order.h"

#define EACH(kind) (uint8_t kind = WIRE_NONE + 1; kind < WIRE_N_OPS; kind++)

static void test_all_pairs(void **state)
{
    (void)state;
    for
        EACH(a)
        for
            EACH(b)
            {
                mdl_wanted x = {a, 8, 64}, y = {b, 8, 64}, beside = {b, 8, 72};
                trc_op done = {.kind = a, .size = 8, .object = 64};
                assert_int_equal(mdl_kinds_depend(a, b), mdl_kinds_depend(b, a));
                assert_int_equal(mdl_both_depend(&x, &y), mdl_kinds_depend(a, b));
                assert_int_equal(trc_depends(&done, &y), mdl_kinds_depend(a, b));
                assert_false(mdl_both_depend(&x, &beside));
            }
}

/* ---- what the rows say ---- */

/* The kinds of which a column says something are exactly these. */
#define ONLY(said, ...)                                                                  \
    do {                                                                                 \
        static const uint8_t list[] = {__VA_ARGS__};                                     \
        for                                                                              \
            EACH(k)                                                                      \
            {                                                                            \
                bool is_listed = memchr(list, k, sizeof list) != NULL;                   \
                if ((said) != is_listed)                                                 \
                    fail_msg("%s: %s", #said, mdl_kind_text(k));                         \
            }                                                                            \
    } while (0)

static void test_effect(void **state)
{
    (void)state;
    ONLY(mdl_effect_of(k) == MDL_EFFECT_N, WIRE_CREATE, WIRE_JOIN, WIRE_END, WIRE_EXIT,
         WIRE_DECIDE, WIRE_FAIL, WIRE_FENCE);
    ONLY(mdl_effect_of(k) == MDL_EFFECT_S, WIRE_TRYLOCK_BUSY, WIRE_LOAD, WIRE_CAS_FAIL,
         WIRE_SEM_BUSY, WIRE_SEM_VALUE, WIRE_RDLOCK, WIRE_RDUNLOCK, WIRE_TRYRDLOCK,
         WIRE_RD_BUSY, WIRE_BARRIER_LEAVE, WIRE_ONCE_DONE, WIRE_FUTEX_AGAIN,
         WIRE_CANCEL_TEST, WIRE_FD_LOOK, WIRE_FUTEX_TIMEOUT, WIRE_OP_BEGIN, WIRE_GET,
         WIRE_SIGNAL_TEST, WIRE_SPIN);
}

static void test_when(void **state)
{
    (void)state;
    ONLY(mdl_when_of(k) == MDL_WHEN_O, WIRE_LOCK, WIRE_ATOMIC_BEGIN, WIRE_SEM_WAIT,
         WIRE_RDLOCK, WIRE_ONCE);
    ONLY(mdl_when_of(k) == MDL_WHEN_R, WIRE_WRLOCK);
    ONLY(mdl_when_of(k) == MDL_WHEN_W, WIRE_COND_WAKE, WIRE_BARRIER_LEAVE,
         WIRE_FUTEX_WOKEN, WIRE_FD_WAKE, WIRE_SIGNAL_WAKE);
    ONLY(mdl_when_of(k) == MDL_WHEN_J, WIRE_JOIN);
    ONLY(mdl_waits_for_anybody(k), WIRE_SEM_WAIT, WIRE_WRLOCK, WIRE_COND_WAKE,
         WIRE_BARRIER_LEAVE, WIRE_FUTEX_WOKEN, WIRE_FD_WAKE, WIRE_SIGNAL_WAKE);
    ONLY(mdl_waits_to_hold(k), WIRE_LOCK, WIRE_RDLOCK, WIRE_WRLOCK, WIRE_ONCE);
}

static void test_object(void **state)
{
    (void)state;
    ONLY(mdl_is_access(k), WIRE_LOAD, WIRE_STORE, WIRE_RMW, WIRE_CAS, WIRE_CAS_FAIL,
         WIRE_FUTEX_WAIT, WIRE_FUTEX_AGAIN, WIRE_FUTEX_WOKEN, WIRE_FUTEX_WAKE,
         WIRE_FUTEX_TIMEOUT);
}

static void test_type(void **state)
{
    (void)state;
    ONLY(mdl_type_of(k) == WIRE_TYPE_THREAD, WIRE_CREATE, WIRE_JOIN, WIRE_END,
         WIRE_CANCEL, WIRE_CANCEL_TEST);
    ONLY(mdl_type_of(k) == WIRE_TYPE_PROCESS, WIRE_EXIT);
    ONLY(mdl_type_of(k) == WIRE_TYPE_INPUT, WIRE_DECIDE);
    ONLY(mdl_type_of(k) == WIRE_TYPE_MEMORY, WIRE_LOAD, WIRE_STORE, WIRE_RMW, WIRE_CAS,
         WIRE_CAS_FAIL);
    ONLY(mdl_type_of(k) == WIRE_TYPE_MUTEX, WIRE_LOCK, WIRE_UNLOCK, WIRE_TRYLOCK,
         WIRE_TRYLOCK_BUSY);
    ONLY(mdl_type_of(k) == WIRE_TYPE_RWLOCK, WIRE_RDLOCK, WIRE_RDUNLOCK, WIRE_TRYRDLOCK,
         WIRE_RD_BUSY, WIRE_WRLOCK, WIRE_WRUNLOCK, WIRE_TRYWRLOCK, WIRE_WR_BUSY);
    ONLY(mdl_type_of(k) == WIRE_TYPE_SEM, WIRE_SEM_WAIT, WIRE_SEM_POST, WIRE_SEM_TRYWAIT,
         WIRE_SEM_BUSY, WIRE_SEM_VALUE);
    ONLY(mdl_type_of(k) == WIRE_TYPE_COND, WIRE_COND_WAIT, WIRE_COND_WAKE, WIRE_SIGNAL,
         WIRE_BROADCAST);
    ONLY(mdl_type_of(k) == WIRE_TYPE_BARRIER, WIRE_BARRIER, WIRE_BARRIER_LEAVE);
    ONLY(mdl_type_of(k) == WIRE_TYPE_ONCE, WIRE_ONCE, WIRE_ONCE_END, WIRE_ONCE_DONE,
         WIRE_ONCE_LEFT);
    ONLY(mdl_type_of(k) == WIRE_TYPE_FUTEX, WIRE_FUTEX_WAIT, WIRE_FUTEX_AGAIN,
         WIRE_FUTEX_WOKEN, WIRE_FUTEX_WAKE, WIRE_FUTEX_TIMEOUT);
    ONLY(mdl_type_of(k) == WIRE_TYPE_SECTION, WIRE_ATOMIC_BEGIN, WIRE_ATOMIC_END);
    ONLY(mdl_type_of(k) == WIRE_TYPE_FD, WIRE_FD, WIRE_FD_WAKE, WIRE_FD_LOOK);
    ONLY(mdl_type_of(k) == WIRE_TYPE_SIGNALS, WIRE_KILL, WIRE_SIGNAL_TEST,
         WIRE_SIGNAL_WAIT, WIRE_SIGNAL_WAKE);
    ONLY(mdl_type_of(k) == WIRE_TYPE_HISTORY, WIRE_OP_SPECIFY, WIRE_OP_BEGIN,
         WIRE_OP_END);
    ONLY(mdl_type_of(k) == WIRE_TYPE_NAME, WIRE_SEM_OPEN, WIRE_SEM_CLOSE,
         WIRE_SEM_UNLINK);
    ONLY(mdl_type_of(k) == WIRE_TYPE_SETTING, WIRE_SET, WIRE_GET);
    ONLY(mdl_type_of(k) == WIRE_TYPE_ANY, WIRE_INIT, WIRE_DESTROY);
}

static void test_does(void **state)
{
    (void)state;
    ONLY(mdl_takes_alone(k), WIRE_LOCK, WIRE_TRYLOCK, WIRE_WRLOCK, WIRE_TRYWRLOCK,
         WIRE_ONCE);
    ONLY(mdl_takes_to_read(k), WIRE_RDLOCK, WIRE_TRYRDLOCK);
    ONLY(mdl_gives_alone(k), WIRE_UNLOCK, WIRE_WRUNLOCK, WIRE_ONCE_END, WIRE_ONCE_LEFT);
    ONLY(mdl_gives(k), WIRE_UNLOCK, WIRE_WRUNLOCK, WIRE_RDUNLOCK, WIRE_ONCE_END,
         WIRE_ONCE_LEFT);
    ONLY(mdl_does(k) == WIRE_DOES_FINISH, WIRE_ONCE_END);
    ONLY(mdl_does(k) == WIRE_DOES_DOWN, WIRE_SEM_WAIT, WIRE_SEM_TRYWAIT);
    ONLY(mdl_does(k) == WIRE_DOES_UP, WIRE_SEM_POST);
    ONLY(mdl_reads(k), WIRE_LOAD, WIRE_RMW, WIRE_CAS, WIRE_CAS_FAIL);
    ONLY(mdl_writes(k), WIRE_STORE, WIRE_RMW, WIRE_CAS);
    ONLY(mdl_does(k) == WIRE_DOES_SLEEP, WIRE_COND_WAIT, WIRE_FUTEX_WAIT,
         WIRE_SIGNAL_WAIT);
    ONLY(mdl_does(k) == WIRE_DOES_ARRIVE, WIRE_BARRIER);
    ONLY(mdl_does(k) == WIRE_DOES_WOKEN, WIRE_COND_WAKE, WIRE_BARRIER_LEAVE,
         WIRE_FUTEX_WOKEN, WIRE_FD_WAKE, WIRE_SIGNAL_WAKE);
    ONLY(mdl_does(k) == WIRE_DOES_WAKE, WIRE_SIGNAL, WIRE_FUTEX_WAKE);
    ONLY(mdl_does(k) == WIRE_DOES_WAKE_ALL, WIRE_BROADCAST);
    ONLY(mdl_does(k) == WIRE_DOES_ENTER, WIRE_ATOMIC_BEGIN, WIRE_OP_BEGIN);
    ONLY(mdl_does(k) == WIRE_DOES_LEAVE, WIRE_ATOMIC_END, WIRE_OP_END);
    ONLY(mdl_does(k) == WIRE_DOES_SEND, WIRE_CANCEL, WIRE_KILL);
    ONLY(mdl_resets(k), WIRE_INIT, WIRE_DESTROY);
}

static void test_outcomes(void **state)
{
    (void)state;
    static const uint8_t pairs[][2] = {
        {WIRE_TRYLOCK, WIRE_TRYLOCK_BUSY},  {WIRE_CAS, WIRE_CAS_FAIL},
        {WIRE_SEM_TRYWAIT, WIRE_SEM_BUSY},  {WIRE_TRYRDLOCK, WIRE_RD_BUSY},
        {WIRE_TRYWRLOCK, WIRE_WR_BUSY},     {WIRE_ONCE, WIRE_ONCE_DONE},
        {WIRE_FUTEX_WAIT, WIRE_FUTEX_AGAIN}};
    ONLY(mdl_has_failed(k), WIRE_TRYLOCK_BUSY, WIRE_CAS_FAIL, WIRE_SEM_BUSY, WIRE_RD_BUSY,
         WIRE_WR_BUSY, WIRE_ONCE_DONE, WIRE_FUTEX_AGAIN);
    ONLY(mdl_failed_kind(k) != WIRE_NONE, WIRE_TRYLOCK, WIRE_CAS, WIRE_SEM_TRYWAIT,
         WIRE_TRYRDLOCK, WIRE_TRYWRLOCK, WIRE_ONCE, WIRE_FUTEX_WAIT);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        uint8_t asked = pairs[i][0], failed = pairs[i][1];
        assert_int_equal(mdl_failed_kind(asked), failed);
        assert_int_equal(mdl_asked_kind(failed), asked);
        assert_int_equal(mdl_other_outcome(asked), failed);
        assert_int_equal(mdl_other_outcome(failed), asked);
    }
    ONLY(mdl_fails_if(k) == WIRE_FAILS_UNKNOWN, WIRE_TRYLOCK, WIRE_CAS, WIRE_FUTEX_WAIT);
    ONLY(mdl_fails_if(k) == WIRE_FAILS_CLOSED, WIRE_SEM_TRYWAIT, WIRE_TRYRDLOCK);
    ONLY(mdl_fails_if(k) == WIRE_FAILS_READ, WIRE_TRYWRLOCK);
    ONLY(mdl_fails_if(k) == WIRE_FAILS_OVER, WIRE_ONCE);
}

static void test_looks(void **state)
{
    (void)state;
    ONLY(mdl_only_looks(k), WIRE_LOAD, WIRE_CAS_FAIL, WIRE_FUTEX_AGAIN, WIRE_TRYLOCK_BUSY,
         WIRE_SEM_BUSY, WIRE_RD_BUSY, WIRE_ONCE_DONE, WIRE_CANCEL_TEST, WIRE_SEM_VALUE,
         WIRE_GET, WIRE_SIGNAL_TEST, WIRE_FD_LOOK, WIRE_FUTEX_TIMEOUT);
}

static void test_drains(void **state)
{
    (void)state;
    ONLY(mdl_drains(k, __ATOMIC_SEQ_CST) != mdl_drains(k, __ATOMIC_ACQ_REL), WIRE_STORE,
         WIRE_FENCE, WIRE_LOCK, WIRE_UNLOCK, WIRE_TRYLOCK, WIRE_SIGNAL, WIRE_BROADCAST);
    ONLY(!mdl_drains(k, __ATOMIC_SEQ_CST), WIRE_TRYLOCK_BUSY, WIRE_INIT, WIRE_DESTROY,
         WIRE_LOAD, WIRE_DECIDE, WIRE_SEM_BUSY, WIRE_SEM_VALUE, WIRE_RD_BUSY,
         WIRE_WR_BUSY, WIRE_ONCE_DONE, WIRE_CANCEL_TEST, WIRE_FD_LOOK, WIRE_FUTEX_TIMEOUT,
         WIRE_OP_SPECIFY, WIRE_OP_BEGIN, WIRE_OP_END, WIRE_SEM_OPEN, WIRE_SEM_CLOSE,
         WIRE_SEM_UNLINK, WIRE_SET, WIRE_GET, WIRE_SIGNAL_TEST, WIRE_SPIN, WIRE_FAIL);
}

/* What passes by a kind, with these flags and this value. */
static mdl_passes passes(uint8_t kind, uint8_t flags, uint64_t value)
{
    return mdl_passes_of(&(mdl_done){kind, flags, WIRE_OBJECT_CLASS(1), value});
}

static void test_passes(void **state)
{
    (void)state;
    const uint64_t some = WIRE_FD_VALUE(3, 1);
    ONLY(passes(k, 0, some).learns == MDL_ALL, WIRE_LOCK, WIRE_TRYLOCK, WIRE_ATOMIC_BEGIN,
         WIRE_ATOMIC_END, WIRE_SEM_WAIT, WIRE_SEM_TRYWAIT, WIRE_RDLOCK, WIRE_TRYRDLOCK,
         WIRE_BARRIER, WIRE_ONCE, WIRE_ONCE_DONE, WIRE_CANCEL_TEST, WIRE_SIGNAL_TEST,
         WIRE_SIGNAL_WAIT, WIRE_SIGNAL_WAKE);
    ONLY(passes(k, 0, some).learns == (MDL_ALL | MDL_APART), WIRE_WRLOCK, WIRE_TRYWRLOCK);
    ONLY(passes(k, 0, some).learns == MDL_APART, WIRE_BARRIER_LEAVE, WIRE_FUTEX_WOKEN);
    ONLY(passes(k, 0, some).learns == MDL_FLOWS, WIRE_FD, WIRE_FD_WAKE, WIRE_FD_LOOK,
         WIRE_SET);
    ONLY(passes(k, 0, 0).learns != passes(k, 0, some).learns, WIRE_BARRIER,
         WIRE_CANCEL_TEST, WIRE_SIGNAL_TEST, WIRE_SIGNAL_WAIT, WIRE_SIGNAL_WAKE,
         WIRE_FD_LOOK);
    ONLY(passes(k, 0, 0).leaves == MDL_ALL, WIRE_UNLOCK, WIRE_ATOMIC_END, WIRE_SEM_POST,
         WIRE_WRUNLOCK, WIRE_BARRIER, WIRE_ONCE_END, WIRE_ONCE_LEFT, WIRE_CANCEL,
         WIRE_KILL);
    ONLY(passes(k, 0, 0).leaves == MDL_APART, WIRE_RDUNLOCK, WIRE_FUTEX_WAKE);
    ONLY(passes(k, 0, 0).leaves == MDL_FLOWS, WIRE_FD, WIRE_FD_WAKE, WIRE_SET);
    ONLY(passes(k, 0, 1).leaves == (MDL_ALL | MDL_ROUND), WIRE_BARRIER);
    ONLY(passes(k, WIRE_F_CLOSED, 0).leaves != passes(k, 0, 0).leaves, WIRE_UNLOCK);
    for
        EACH(k)
        {
            mdl_passes p = passes(k, WIRE_SYNC_MISUSED, some);
            assert_true(!mdl_has_object(k) || (p.learns == 0 && p.leaves == 0));
        }
    mdl_done name = {.kind = WIRE_SET, .object = WIRE_OBJECT_CONCURRENCY};
    assert_int_equal(mdl_passes_of(&name).leaves, 0);
}

static void test_digest(void **state)
{
    (void)state;
    ONLY(!mdl_in_digest(k), WIRE_JOIN, WIRE_END, WIRE_EXIT, WIRE_SPIN, WIRE_FENCE);
}

/* What must hold between the columns, whatever the rows. */
static void test_rules(void **state)
{
    (void)state;
    for
        EACH(k)
        {
            uint8_t fails = mdl_failed_kind(k), asked = mdl_asked_kind(k);
            assert_int_equal(fails != WIRE_NONE, mdl_fails_if(k) != WIRE_FAILS_NEVER);
            assert_true(fails == WIRE_NONE || mdl_asked_kind(fails) == k);
            assert_true(asked == k || mdl_failed_kind(asked) == k);
            assert_int_equal(mdl_is_access(asked), mdl_is_access(k));
            assert_int_equal(mdl_type_of(asked), mdl_type_of(k));
            assert_false(mdl_only_looks(k) && mdl_effect_of(k) != MDL_EFFECT_S);
            assert_false(mdl_only_looks(k) && (mdl_takes(k) || mdl_gives(k)));
            assert_false(mdl_takes_alone(k) && mdl_effect_of(k) != MDL_EFFECT_E);
            assert_false(mdl_takes_to_read(k) && mdl_effect_of(k) != MDL_EFFECT_S);
            assert_int_equal(mdl_when_of(k) == MDL_WHEN_W,
                             mdl_does(k) == WIRE_DOES_WOKEN);
            assert_false((mdl_takes(k) || mdl_gives(k)) &&
                         !mdl_drains(k, __ATOMIC_SEQ_CST));
            assert_true(strlen(mdl_kind_text(k)) > 0);
        for
            EACH(other)
        assert_true(other == k || strcmp(mdl_kind_text(other), mdl_kind_text(k)) != 0);
        }
}

/* In each state of its object an operation waits, or turns out in one way. */
static void test_found(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 32; bits++) {
        mdl_found f = {bits & 1, bits & 2, bits & 4, bits & 8, bits & 16};
        for
            EACH(k)
            {
                uint8_t failed = mdl_failed_kind(k);
                if (mdl_has_failed(k))
                    continue;
                bool is_decided = failed == WIRE_NONE || !mdl_is_access(k);
                assert_false(mdl_can_be(k, &f) && failed && mdl_can_be(failed, &f));
                if (is_decided && !mdl_waits(k, &f))
                    assert_true(mdl_can_be(k, &f) || (failed && mdl_can_be(failed, &f)));
            }
    }
    mdl_found open = {0}, closed = {.is_closed = true}, read = {.is_read = true};
    mdl_found over = {.is_over = true}, woken = {.is_woken = true},
              ended = {.has_ended = true};
    ONLY(mdl_waits(k, &open), WIRE_JOIN, WIRE_COND_WAKE, WIRE_BARRIER_LEAVE,
         WIRE_FUTEX_WOKEN, WIRE_FD_WAKE, WIRE_SIGNAL_WAKE);
    ONLY(mdl_waits(k, &woken), WIRE_JOIN);
    ONLY(mdl_waits(k, &ended), WIRE_COND_WAKE, WIRE_BARRIER_LEAVE, WIRE_FUTEX_WOKEN,
         WIRE_FD_WAKE, WIRE_SIGNAL_WAKE);
    ONLY(mdl_waits(k, &closed) && !mdl_waits(k, &open), WIRE_LOCK, WIRE_ATOMIC_BEGIN,
         WIRE_SEM_WAIT, WIRE_RDLOCK, WIRE_ONCE, WIRE_WRLOCK);
    ONLY(mdl_waits(k, &read) && !mdl_waits(k, &open), WIRE_WRLOCK);
    ONLY(mdl_fails(k, &closed), WIRE_TRYLOCK, WIRE_SEM_TRYWAIT, WIRE_TRYRDLOCK,
         WIRE_TRYWRLOCK);
    ONLY(mdl_fails(k, &read), WIRE_TRYWRLOCK);
    ONLY(mdl_fails(k, &over), WIRE_ONCE);
    ONLY(mdl_fails(k, &open), WIRE_NONE);
    assert_true(mdl_can_be(WIRE_ONCE_DONE, &over) && !mdl_can_be(WIRE_ONCE, &over));
}

static void test_no_operations(void **state)
{
    (void)state;
    static const uint8_t others[] = {WIRE_NONE, WIRE_N_OPS, WIRE_NOTE_READ, UINT8_MAX};
    for (size_t i = 0; i < sizeof others; i++) {
        uint8_t k = others[i];
        assert_false(mdl_is_op(k) || mdl_is_access(k) || mdl_in_digest(k) ||
                     mdl_takes(k));
        assert_int_equal(mdl_effect_of(k), MDL_EFFECT_N);
        assert_int_equal(mdl_asked_kind(k), k);
        assert_string_equal(mdl_kind_text(k), "?");
    }
}

/* WIRE_F_OF_KIND has one meaning for each kind. */
static void test_flag_of_kind(void **state)
{
    (void)state;
    ONLY(mdl_joins(k), WIRE_JOIN);
    for (uint8_t k = 0; k < WIRE_N_OPS; k++)
        assert_true(mdl_joins(k) + mdl_is_access(k) + mdl_can_be_misused(k) <= 1);
    const trc_op join = {.kind = WIRE_JOIN, .flags = WIRE_F_OF_KIND};
    const trc_op load = {.kind = WIRE_LOAD, .flags = WIRE_F_OF_KIND};
    const trc_op lock = {.kind = WIRE_LOCK, .flags = WIRE_F_OF_KIND};
    assert_true(trc_is_fetched(&join) && !trc_is_promoted(&join) &&
                !trc_is_misused(&join));
    assert_true(!trc_is_fetched(&load) && trc_is_promoted(&load) &&
                !trc_is_misused(&load));
    assert_true(!trc_is_fetched(&lock) && !trc_is_promoted(&lock) &&
                trc_is_misused(&lock));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_pairs),   cmocka_unit_test(test_effect),
        cmocka_unit_test(test_when),        cmocka_unit_test(test_object),
        cmocka_unit_test(test_type),        cmocka_unit_test(test_does),
        cmocka_unit_test(test_outcomes),    cmocka_unit_test(test_looks),
        cmocka_unit_test(test_drains),      cmocka_unit_test(test_digest),
        cmocka_unit_test(test_passes),      cmocka_unit_test(test_rules),
        cmocka_unit_test(test_found),       cmocka_unit_test(test_no_operations),
        cmocka_unit_test(test_flag_of_kind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
