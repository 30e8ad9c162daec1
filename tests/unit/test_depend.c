/* SPDX-License-Identifier: Apache-2.0 */
/* What the kinds of operations mean. The tool and the runtime make their tables of the same rows
 * (wire/ops.def): all pairs of kinds are compared. What the columns say is written down here once
 * more, kind by kind and the other way round, so that a slip in the table shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/core/ops.h"
#include "trace/depend.h"
#include "trace/order.h"

#define EACH(kind) (uint8_t kind = WIRE_NONE + 1; kind < WIRE_N_OPS; kind++)

/* ---- tool and runtime ---- */

static void test_same_rows(void **state)
{
    (void)state;
    for
        EACH(k)
        {
            assert_int_equal(trc_effect_of(k) == TRC_EFFECT_E,
                             rt_effect[k] == RT_EFFECT_E);
            assert_int_equal(trc_effect_of(k) == TRC_EFFECT_S,
                             rt_effect[k] == RT_EFFECT_S);
            assert_int_equal(trc_when_of(k) == TRC_WHEN_A, rt_when[k] == RT_WHEN_A);
            assert_int_equal(trc_when_of(k) == TRC_WHEN_O, rt_when[k] == RT_WHEN_O);
            assert_int_equal(trc_when_of(k) == TRC_WHEN_R, rt_when[k] == RT_WHEN_R);
            assert_int_equal(trc_when_of(k) == TRC_WHEN_W, rt_when[k] == RT_WHEN_W);
            assert_int_equal(trc_when_of(k) == TRC_WHEN_J, rt_when[k] == RT_WHEN_J);
            assert_int_equal(trc_does(k), rt_does[k]);
            assert_int_equal(trc_is_access(k), rt_on_bytes[k]);
            assert_int_equal(trc_only_looks(k), rt_looks[k]);
            assert_int_equal(trc_reads(k), rt_reads(k));
            assert_int_equal(trc_writes(k), rt_writes(k));
            assert_string_equal(trc_kind_text(k), rt_kind_text(k));
        }
}

static void test_all_pairs(void **state)
{
    (void)state;
    for
        EACH(a)
        for
            EACH(b)
            {
                trc_wanted x = {a, 8, 64}, y = {b, 8, 64}, beside = {b, 8, 72};
                trc_op done = {.kind = a, .size = 8, .object = 64};
                assert_int_equal(trc_kinds_depend(a, b), rt_kinds_depend(a, b));
                assert_int_equal(trc_kinds_depend(a, b), trc_kinds_depend(b, a));
                assert_int_equal(trc_both_depend(&x, &y), rt_kinds_depend(a, b));
                assert_int_equal(trc_depends(&done, &y), rt_kinds_depend(a, b));
                assert_false(trc_both_depend(&x, &beside));
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
                    fail_msg("%s: %s", #said, trc_kind_text(k));                         \
            }                                                                            \
    } while (0)

static void test_effect(void **state)
{
    (void)state;
    ONLY(trc_effect_of(k) == TRC_EFFECT_N, WIRE_CREATE, WIRE_JOIN, WIRE_END, WIRE_EXIT,
         WIRE_DECIDE, WIRE_FAIL, WIRE_FENCE);
    ONLY(trc_effect_of(k) == TRC_EFFECT_S, WIRE_TRYLOCK_BUSY, WIRE_LOAD, WIRE_CAS_FAIL,
         WIRE_SEM_BUSY, WIRE_SEM_VALUE, WIRE_RDLOCK, WIRE_RDUNLOCK, WIRE_TRYRDLOCK,
         WIRE_RD_BUSY, WIRE_BARRIER_LEAVE, WIRE_ONCE_DONE, WIRE_FUTEX_AGAIN,
         WIRE_CANCEL_TEST, WIRE_FD_LOOK, WIRE_FUTEX_TIMEOUT, WIRE_OP_BEGIN, WIRE_GET,
         WIRE_SIGNAL_TEST, WIRE_SPIN);
}

static void test_when(void **state)
{
    (void)state;
    ONLY(trc_when_of(k) == TRC_WHEN_O, WIRE_LOCK, WIRE_ATOMIC_BEGIN, WIRE_SEM_WAIT,
         WIRE_RDLOCK, WIRE_ONCE);
    ONLY(trc_when_of(k) == TRC_WHEN_R, WIRE_WRLOCK);
    ONLY(trc_when_of(k) == TRC_WHEN_W, WIRE_COND_WAKE, WIRE_BARRIER_LEAVE,
         WIRE_FUTEX_WOKEN, WIRE_FD_WAKE, WIRE_SIGNAL_WAKE);
    ONLY(trc_when_of(k) == TRC_WHEN_J, WIRE_JOIN);
    ONLY(trc_waits_for_anybody(k), WIRE_SEM_WAIT, WIRE_WRLOCK, WIRE_COND_WAKE,
         WIRE_BARRIER_LEAVE, WIRE_FUTEX_WOKEN, WIRE_FD_WAKE, WIRE_SIGNAL_WAKE);
    ONLY(trc_waits_to_hold(k), WIRE_LOCK, WIRE_RDLOCK, WIRE_WRLOCK, WIRE_ONCE);
}

static void test_object(void **state)
{
    (void)state;
    ONLY(trc_is_access(k), WIRE_LOAD, WIRE_STORE, WIRE_RMW, WIRE_CAS, WIRE_CAS_FAIL,
         WIRE_FUTEX_WAIT, WIRE_FUTEX_AGAIN, WIRE_FUTEX_WOKEN, WIRE_FUTEX_WAKE,
         WIRE_FUTEX_TIMEOUT);
}

static void test_type(void **state)
{
    (void)state;
    ONLY(trc_type_of(k) == WIRE_TYPE_THREAD, WIRE_CREATE, WIRE_JOIN, WIRE_END,
         WIRE_CANCEL, WIRE_CANCEL_TEST);
    ONLY(trc_type_of(k) == WIRE_TYPE_PROCESS, WIRE_EXIT);
    ONLY(trc_type_of(k) == WIRE_TYPE_INPUT, WIRE_DECIDE);
    ONLY(trc_type_of(k) == WIRE_TYPE_MEMORY, WIRE_LOAD, WIRE_STORE, WIRE_RMW, WIRE_CAS,
         WIRE_CAS_FAIL);
    ONLY(trc_type_of(k) == WIRE_TYPE_MUTEX, WIRE_LOCK, WIRE_UNLOCK, WIRE_TRYLOCK,
         WIRE_TRYLOCK_BUSY);
    ONLY(trc_type_of(k) == WIRE_TYPE_RWLOCK, WIRE_RDLOCK, WIRE_RDUNLOCK, WIRE_TRYRDLOCK,
         WIRE_RD_BUSY, WIRE_WRLOCK, WIRE_WRUNLOCK, WIRE_TRYWRLOCK, WIRE_WR_BUSY);
    ONLY(trc_type_of(k) == WIRE_TYPE_SEM, WIRE_SEM_WAIT, WIRE_SEM_POST, WIRE_SEM_TRYWAIT,
         WIRE_SEM_BUSY, WIRE_SEM_VALUE);
    ONLY(trc_type_of(k) == WIRE_TYPE_COND, WIRE_COND_WAIT, WIRE_COND_WAKE, WIRE_SIGNAL,
         WIRE_BROADCAST);
    ONLY(trc_type_of(k) == WIRE_TYPE_BARRIER, WIRE_BARRIER, WIRE_BARRIER_LEAVE);
    ONLY(trc_type_of(k) == WIRE_TYPE_ONCE, WIRE_ONCE, WIRE_ONCE_END, WIRE_ONCE_DONE,
         WIRE_ONCE_LEFT);
    ONLY(trc_type_of(k) == WIRE_TYPE_FUTEX, WIRE_FUTEX_WAIT, WIRE_FUTEX_AGAIN,
         WIRE_FUTEX_WOKEN, WIRE_FUTEX_WAKE, WIRE_FUTEX_TIMEOUT);
    ONLY(trc_type_of(k) == WIRE_TYPE_SECTION, WIRE_ATOMIC_BEGIN, WIRE_ATOMIC_END);
    ONLY(trc_type_of(k) == WIRE_TYPE_FD, WIRE_FD, WIRE_FD_WAKE, WIRE_FD_LOOK);
    ONLY(trc_type_of(k) == WIRE_TYPE_SIGNALS, WIRE_KILL, WIRE_SIGNAL_TEST,
         WIRE_SIGNAL_WAIT, WIRE_SIGNAL_WAKE);
    ONLY(trc_type_of(k) == WIRE_TYPE_HISTORY, WIRE_OP_SPECIFY, WIRE_OP_BEGIN,
         WIRE_OP_END);
    ONLY(trc_type_of(k) == WIRE_TYPE_NAME, WIRE_SEM_OPEN, WIRE_SEM_CLOSE,
         WIRE_SEM_UNLINK);
    ONLY(trc_type_of(k) == WIRE_TYPE_SETTING, WIRE_SET, WIRE_GET);
    ONLY(trc_type_of(k) == WIRE_TYPE_ANY, WIRE_INIT, WIRE_DESTROY);
}

static void test_does(void **state)
{
    (void)state;
    ONLY(trc_takes_alone(k), WIRE_LOCK, WIRE_TRYLOCK, WIRE_WRLOCK, WIRE_TRYWRLOCK,
         WIRE_ONCE);
    ONLY(trc_takes_to_read(k), WIRE_RDLOCK, WIRE_TRYRDLOCK);
    ONLY(trc_gives_alone(k), WIRE_UNLOCK, WIRE_WRUNLOCK, WIRE_ONCE_END, WIRE_ONCE_LEFT);
    ONLY(trc_gives(k), WIRE_UNLOCK, WIRE_WRUNLOCK, WIRE_RDUNLOCK, WIRE_ONCE_END,
         WIRE_ONCE_LEFT);
    ONLY(trc_does(k) == WIRE_DOES_FINISH, WIRE_ONCE_END);
    ONLY(trc_does(k) == WIRE_DOES_DOWN, WIRE_SEM_WAIT, WIRE_SEM_TRYWAIT);
    ONLY(trc_does(k) == WIRE_DOES_UP, WIRE_SEM_POST);
    ONLY(trc_reads(k), WIRE_LOAD, WIRE_RMW, WIRE_CAS, WIRE_CAS_FAIL);
    ONLY(trc_writes(k), WIRE_STORE, WIRE_RMW, WIRE_CAS);
    ONLY(trc_does(k) == WIRE_DOES_SLEEP, WIRE_COND_WAIT, WIRE_FUTEX_WAIT,
         WIRE_SIGNAL_WAIT);
    ONLY(trc_does(k) == WIRE_DOES_ARRIVE, WIRE_BARRIER);
    ONLY(trc_does(k) == WIRE_DOES_WOKEN, WIRE_COND_WAKE, WIRE_BARRIER_LEAVE,
         WIRE_FUTEX_WOKEN, WIRE_FD_WAKE, WIRE_SIGNAL_WAKE);
    ONLY(trc_does(k) == WIRE_DOES_WAKE, WIRE_SIGNAL, WIRE_FUTEX_WAKE);
    ONLY(trc_does(k) == WIRE_DOES_WAKE_ALL, WIRE_BROADCAST);
    ONLY(trc_does(k) == WIRE_DOES_ENTER, WIRE_ATOMIC_BEGIN, WIRE_OP_BEGIN);
    ONLY(trc_does(k) == WIRE_DOES_LEAVE, WIRE_ATOMIC_END, WIRE_OP_END);
    ONLY(trc_does(k) == WIRE_DOES_SEND, WIRE_CANCEL, WIRE_KILL);
    ONLY(trc_resets(k), WIRE_INIT, WIRE_DESTROY);
}

static void test_outcomes(void **state)
{
    (void)state;
    static const uint8_t pairs[][2] = {
        {WIRE_TRYLOCK, WIRE_TRYLOCK_BUSY},  {WIRE_CAS, WIRE_CAS_FAIL},
        {WIRE_SEM_TRYWAIT, WIRE_SEM_BUSY},  {WIRE_TRYRDLOCK, WIRE_RD_BUSY},
        {WIRE_TRYWRLOCK, WIRE_WR_BUSY},     {WIRE_ONCE, WIRE_ONCE_DONE},
        {WIRE_FUTEX_WAIT, WIRE_FUTEX_AGAIN}};
    ONLY(trc_has_failed(k), WIRE_TRYLOCK_BUSY, WIRE_CAS_FAIL, WIRE_SEM_BUSY, WIRE_RD_BUSY,
         WIRE_WR_BUSY, WIRE_ONCE_DONE, WIRE_FUTEX_AGAIN);
    ONLY(trc_failed_kind(k) != WIRE_NONE, WIRE_TRYLOCK, WIRE_CAS, WIRE_SEM_TRYWAIT,
         WIRE_TRYRDLOCK, WIRE_TRYWRLOCK, WIRE_ONCE, WIRE_FUTEX_WAIT);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        uint8_t asked = pairs[i][0], failed = pairs[i][1];
        assert_int_equal(trc_failed_kind(asked), failed);
        assert_int_equal(trc_asked_kind(failed), asked);
        assert_int_equal(trc_other_outcome(asked), failed);
        assert_int_equal(trc_other_outcome(failed), asked);
    }
    ONLY(trc_fails_if(k) == WIRE_FAILS_UNKNOWN, WIRE_TRYLOCK, WIRE_CAS, WIRE_FUTEX_WAIT);
    ONLY(trc_fails_if(k) == WIRE_FAILS_CLOSED, WIRE_SEM_TRYWAIT, WIRE_TRYRDLOCK);
    ONLY(trc_fails_if(k) == WIRE_FAILS_READ, WIRE_TRYWRLOCK);
    ONLY(trc_fails_if(k) == WIRE_FAILS_OVER, WIRE_ONCE);
}

static void test_looks(void **state)
{
    (void)state;
    ONLY(trc_only_looks(k), WIRE_LOAD, WIRE_CAS_FAIL, WIRE_FUTEX_AGAIN, WIRE_TRYLOCK_BUSY,
         WIRE_SEM_BUSY, WIRE_RD_BUSY, WIRE_ONCE_DONE, WIRE_CANCEL_TEST, WIRE_SEM_VALUE,
         WIRE_GET, WIRE_SIGNAL_TEST, WIRE_FD_LOOK, WIRE_FUTEX_TIMEOUT);
}

static void test_drains(void **state)
{
    (void)state;
    ONLY(trc_drains(k) == TRC_DRAIN_O, WIRE_STORE, WIRE_FENCE);
    ONLY(trc_drains(k) == TRC_DRAIN_N, WIRE_TRYLOCK_BUSY, WIRE_INIT, WIRE_DESTROY,
         WIRE_LOAD, WIRE_DECIDE, WIRE_SEM_BUSY, WIRE_SEM_VALUE, WIRE_RD_BUSY,
         WIRE_WR_BUSY, WIRE_ONCE_DONE, WIRE_CANCEL_TEST, WIRE_FD_LOOK, WIRE_FUTEX_TIMEOUT,
         WIRE_OP_SPECIFY, WIRE_OP_BEGIN, WIRE_OP_END, WIRE_SEM_OPEN, WIRE_SEM_CLOSE,
         WIRE_SEM_UNLINK, WIRE_SET, WIRE_GET, WIRE_SIGNAL_TEST, WIRE_SPIN, WIRE_FAIL);
}

static void test_digest(void **state)
{
    (void)state;
    ONLY(!trc_in_digest(k), WIRE_JOIN, WIRE_END, WIRE_EXIT, WIRE_SPIN, WIRE_FENCE);
}

/* What must hold between the columns, whatever the rows. */
static void test_rules(void **state)
{
    (void)state;
    for
        EACH(k)
        {
            uint8_t fails = trc_failed_kind(k), asked = trc_asked_kind(k);
            assert_int_equal(fails != WIRE_NONE, trc_fails_if(k) != WIRE_FAILS_NEVER);
            assert_true(fails == WIRE_NONE || trc_asked_kind(fails) == k);
            assert_true(asked == k || trc_failed_kind(asked) == k);
            assert_int_equal(trc_is_access(asked), trc_is_access(k));
            assert_int_equal(trc_type_of(asked), trc_type_of(k));
            assert_false(trc_only_looks(k) && trc_effect_of(k) != TRC_EFFECT_S);
            assert_false(trc_only_looks(k) && (trc_takes(k) || trc_gives(k)));
            assert_false(trc_takes_alone(k) && trc_effect_of(k) != TRC_EFFECT_E);
            assert_false(trc_takes_to_read(k) && trc_effect_of(k) != TRC_EFFECT_S);
            assert_int_equal(trc_when_of(k) == TRC_WHEN_W,
                             trc_does(k) == WIRE_DOES_WOKEN);
            assert_false((trc_takes(k) || trc_gives(k)) && trc_drains(k) != TRC_DRAIN_Y);
            assert_true(strlen(trc_kind_text(k)) > 0);
        for
            EACH(other)
        assert_true(other == k || strcmp(trc_kind_text(other), trc_kind_text(k)) != 0);
        }
}

/* In each state of its object an operation waits, or turns out in one way. */
static void test_found(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 32; bits++) {
        trc_found f = {bits & 1, bits & 2, bits & 4, bits & 8, bits & 16};
        for
            EACH(k)
            {
                uint8_t failed = trc_failed_kind(k);
                if (trc_has_failed(k))
                    continue;
                bool told = failed == WIRE_NONE || !trc_is_access(k);
                assert_false(trc_can_be(k, &f) && failed && trc_can_be(failed, &f));
                if (told && !trc_waits(k, &f))
                    assert_true(trc_can_be(k, &f) || (failed && trc_can_be(failed, &f)));
            }
    }
    trc_found open = {0}, closed = {.is_closed = true}, read = {.is_read = true};
    trc_found over = {.is_over = true}, woken = {.is_woken = true},
              ended = {.has_ended = true};
    ONLY(trc_waits(k, &open), WIRE_JOIN, WIRE_COND_WAKE, WIRE_BARRIER_LEAVE,
         WIRE_FUTEX_WOKEN, WIRE_FD_WAKE, WIRE_SIGNAL_WAKE);
    ONLY(trc_waits(k, &woken), WIRE_JOIN);
    ONLY(trc_waits(k, &ended), WIRE_COND_WAKE, WIRE_BARRIER_LEAVE, WIRE_FUTEX_WOKEN,
         WIRE_FD_WAKE, WIRE_SIGNAL_WAKE);
    ONLY(trc_waits(k, &closed) && !trc_waits(k, &open), WIRE_LOCK, WIRE_ATOMIC_BEGIN,
         WIRE_SEM_WAIT, WIRE_RDLOCK, WIRE_ONCE, WIRE_WRLOCK);
    ONLY(trc_waits(k, &read) && !trc_waits(k, &open), WIRE_WRLOCK);
    ONLY(trc_fails(k, &closed), WIRE_TRYLOCK, WIRE_SEM_TRYWAIT, WIRE_TRYRDLOCK,
         WIRE_TRYWRLOCK);
    ONLY(trc_fails(k, &read), WIRE_TRYWRLOCK);
    ONLY(trc_fails(k, &over), WIRE_ONCE);
    ONLY(trc_fails(k, &open), WIRE_NONE);
    assert_true(trc_can_be(WIRE_ONCE_DONE, &over) && !trc_can_be(WIRE_ONCE, &over));
}

static void test_no_operations(void **state)
{
    (void)state;
    static const uint8_t others[] = {WIRE_NONE, WIRE_N_OPS, WIRE_NOTE_READ, UINT8_MAX};
    for (size_t i = 0; i < sizeof others; i++) {
        uint8_t k = others[i];
        assert_false(trc_is_op(k) || trc_is_access(k) || trc_in_digest(k) ||
                     trc_takes(k));
        assert_int_equal(trc_effect_of(k), TRC_EFFECT_N);
        assert_int_equal(trc_asked_kind(k), k);
        assert_string_equal(trc_kind_text(k), "?");
    }
}

/* WIRE_F_OF_KIND has one meaning for each kind. */
static void test_flag_of_kind(void **state)
{
    (void)state;
    ONLY(trc_joins(k), WIRE_JOIN);
    for (uint8_t k = 0; k < WIRE_N_OPS; k++)
        assert_true(trc_joins(k) + trc_is_access(k) + trc_can_be_misused(k) <= 1);
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
        cmocka_unit_test(test_same_rows),   cmocka_unit_test(test_all_pairs),
        cmocka_unit_test(test_effect),      cmocka_unit_test(test_when),
        cmocka_unit_test(test_object),      cmocka_unit_test(test_type),
        cmocka_unit_test(test_does),        cmocka_unit_test(test_outcomes),
        cmocka_unit_test(test_looks),       cmocka_unit_test(test_drains),
        cmocka_unit_test(test_digest),      cmocka_unit_test(test_rules),
        cmocka_unit_test(test_found),       cmocka_unit_test(test_no_operations),
        cmocka_unit_test(test_flag_of_kind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
