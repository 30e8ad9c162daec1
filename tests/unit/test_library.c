/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of functions: what treadle takes over and what it says about their arguments. */
#include "wire/library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "wire/api.h"

/* clang-format off */

/* Functions without a row, by why they want none. No pointer to memory of the program. */
#define NO_POINTERS(X)                                                                  \
    X(pthread_detach) X(pthread_exit) X(pthread_self) X(pthread_equal) X(usleep)        \
    X(sleep) X(sched_yield) X(pthread_yield) X(clock) X(rand) X(srand) X(random)        \
    X(srandom) X(getpid) X(getppid) X(gettid) X(abort) X(exit) X(_exit) X(_Exit)        \
    X(quick_exit) X(raise) X(kill) X(__VERIFIER_atomic_begin)                           \
    X(__VERIFIER_atomic_end) X(__VERIFIER_error) X(reach_error) X(malloc) X(calloc)     \
    X(aligned_alloc) X(memalign) X(pthread_key_delete) X(pthread_getspecific)           \
    X(pthread_setspecific) X(pthread_cancel) X(pthread_testcancel) X(pthread_kill)      \
    X(pthread_sigqueue) X(pause) X(pthread_setconcurrency) X(pthread_getconcurrency)    \
    X(thrd_detach) X(thrd_exit) X(thrd_current) X(thrd_equal) X(thrd_yield)             \
    X(tss_delete) X(tss_get) X(tss_set) X(treadle_cycles) X(eventfd) X(eventfd_write)   \
    X(shutdown) X(socket) X(listen) X(dup) X(dup2) X(dup3) X(epoll_create) X(epoll_create1)        \
    X(getchar) X(getchar_unlocked)

/* Functions of the program that are called later; texts of a run that ends. */
#define CALLED_BACK(X)                                                                  \
    X(atexit) X(__cxa_at_quick_exit) X(signal) X(__sysv_signal) X(pthread_atfork)       \
    X(__assert_fail) X(__assert) X(__cxa_thread_atexit_impl) X(__cxa_throw) X(_ZSt9terminatev)

/* The object of the operation: an operation on it is told, and a misuse. */
#define OBJECTS(X)                                                                      \
    X(pthread_mutex_destroy) X(pthread_mutex_lock) X(pthread_mutex_trylock)             \
    X(pthread_mutex_unlock) X(pthread_mutex_consistent) X(pthread_cond_destroy)         \
    X(pthread_cond_signal) X(pthread_cond_broadcast) X(pthread_cond_wait) X(sem_init)   \
    X(sem_destroy) X(sem_post) X(sem_wait) X(sem_trywait) X(sem_close)                  \
    X(pthread_rwlock_destroy) X(pthread_rwlock_rdlock) X(pthread_rwlock_tryrdlock)      \
    X(pthread_rwlock_wrlock) X(pthread_rwlock_trywrlock) X(pthread_rwlock_unlock)       \
    X(pthread_spin_init) X(pthread_spin_destroy) X(pthread_spin_lock)                   \
    X(pthread_spin_trylock) X(pthread_spin_unlock) X(pthread_barrier_destroy)           \
    X(pthread_barrier_wait) X(pthread_once) X(call_once) X(mtx_init) X(mtx_destroy)     \
    X(mtx_lock) X(mtx_trylock) X(mtx_unlock) X(cnd_init) X(cnd_destroy) X(cnd_wait)     \
    X(cnd_signal) X(cnd_broadcast) X(__atomic_load) X(__atomic_store)                   \
    X(__atomic_exchange) X(__atomic_compare_exchange) X(free) X(realloc)                \
    X(reallocarray) X(__cxa_guard_acquire) X(__cxa_guard_release) X(__cxa_guard_abort)

/* Buffers of cleanup handlers that C's macros make on the stack. */
#define CLEANUPS(X)                                                                     \
    X(__pthread_register_cancel) X(__pthread_unregister_cancel)                         \
    X(__pthread_register_cancel_defer) X(__pthread_unregister_cancel_restore)           \
    X(__pthread_unwind_next)

/* What the arguments are depends on one of them: the function tells, or leaves a ledger line. */
#define BY_COMMAND(X) X(syscall) X(prctl) X(fcntl) X(ioctl)

/* clang-format on */

#define NAME(name, ...) #name,
#define LISTED                                                                           \
    NO_POINTERS(NAME)                                                                    \
    CALLED_BACK(NAME) OBJECTS(NAME) CLEANUPS(NAME) BY_COMMAND(NAME)

/* WIRE_LIBC: written again, each tells its accesses; tests/sweep calls them. */
static const char *const taken_over[] = {WIRE_REPLACED(NAME) WIRE_HARMLESS(
    NAME) WIRE_DESCRIPTORS(NAME) WIRE_STDIN(NAME) WIRE_TAINTING(NAME) WIRE_FILES(NAME)};
static const char *const rows[] = {WIRE_LIBRARY(NAME) WIRE_LIBRARY_TOLD(NAME)};
static const char *const listed[] = {LISTED};
static const char *const own[] = {WIRE_LIBC(NAME)};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static size_t occurrences(const char *const *names, size_t n, const char *name)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += strcmp(names[i], name) == 0;
    return found;
}

static size_t in_rows(const char *name)
{
    return occurrences(rows, COUNT(rows), name);
}

/* A function that is taken over has a row, or a reason to have none; not both. */
static void test_every_function_is_described(void **state)
{
    (void)state;
    size_t bad = 0;
    for (size_t i = 0; i < COUNT(taken_over); i++) {
        const char *name = taken_over[i];
        if (in_rows(name) + occurrences(listed, COUNT(listed), name) == 1)
            continue;
        print_error("%s: %s\n", name,
                    in_rows(name) ? "two rows, or a row and a reason"
                                  : "no row in wire/library.h");
        bad++;
    }
    assert_int_equal(bad, 0);
}

/* The reasons are about functions that are taken over. */
static void test_no_reason_is_left_over(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(listed); i++)
        assert_int_equal(occurrences(taken_over, COUNT(taken_over), listed[i]), 1);
}

/* What tells its accesses itself would tell them twice. */
static void test_own_functions_have_no_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(own); i++)
        assert_int_equal(in_rows(own[i]), 0);
}

/* A signature is made of the words that the table explains. */
static void test_signatures(void **state)
{
    (void)state;
#define SIGNATURE(name, signature) signature,
    static const char *const signatures[] = {WIRE_LIBRARY(SIGNATURE)
                                                 WIRE_LIBRARY_TOLD(SIGNATURE)};
    for (size_t i = 0; i < COUNT(signatures); i++)
        for (const char *at = signatures[i]; *at;
             at += strcspn(at, " "), at += *at == ' ')
            if (!strchr("vFfswCDkjnNazioqGPQAEIJLUMRZmpleyYWBVhHgKruOSbxctT", *at))
                fail_msg("%s: '%s'", rows[i], at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_function_is_described),
        cmocka_unit_test(test_no_reason_is_left_over),
        cmocka_unit_test(test_own_functions_have_no_row),
        cmocka_unit_test(test_signatures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
