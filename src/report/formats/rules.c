/* SPDX-License-Identifier: Apache-2.0 */
/* Explanations of the kinds of findings, for SARIF and HTML. */
#include "report/formats/formats.h"

#include <string.h>

static const rep_rule rules[] = {
    [DET_ASSERT] =
        {"assert", "assertion failed", "An assertion of the program does not hold.",
         "The program relies on this condition. Read the interleaving "
         "backwards from the failing step: look for a write by another thread, or an "
         "input, that the program does not expect there."},
    [DET_ABORT] = {"abort", "abort", "The program calls abort().",
                   "A check of the program or of a library failed."},
    [DET_CRASH] = {"crash", "crash", "The program is killed by a signal.",
                   "A pointer is invalid: never set, or dangling. Or a number was "
                   "divided by zero."},
    [DET_HANG] = {"hang", "hang", "A thread runs without reaching another operation.",
                  "It executed no operation (scheduling point) within the time limit: an "
                  "infinite loop, or a call that blocks outside treadle's control."},
    [DET_RACE] =
        {"race", "data race",
         "Two threads access the same memory, at least one of them writes, and nothing "
         "orders the two accesses.",
         "By C11 (5.1.2.4) a data race is undefined behaviour, and POSIX "
         "(XBD 4.12) requires that memory which one thread may modify is not read or "
         "modified by another at the same time. Protect both accesses with one "
         "mutex, or make the object atomic."},
    [DET_DEADLOCK] =
        {"deadlock", "deadlock",
         "Threads wait for each other, or for an event that no thread will cause.",
         "Acquire locks in the same order everywhere; signal while holding the mutex "
         "under which the waiting thread checks its condition."},
    [DET_LIVELOCK] = {"livelock", "livelock",
                      "A thread spins in a loop that no other thread will ever end.",
                      "Every iteration reads the same values, and no other thread "
                      "is left that could change them."},
    [DET_MUTEX] =
        {"mutex", "mutex misuse", "A mutex is used in a way that POSIX leaves undefined.",
         "A mutex is unlocked by the thread that locked it, is not locked twice by "
         "one thread unless it is recursive, and is not destroyed while it is "
         "locked (POSIX, pthread_mutex_lock and pthread_mutex_destroy)."},
    [DET_MISUSE] =
        {"misuse", "pthread misuse",
         "A synchronisation object is used in a way that POSIX leaves "
         "undefined.",
         "An object must be initialised before it is used, and no thread may use it "
         "or wait on it when it is destroyed."},
    [DET_THREAD] = {"thread", "thread misuse",
                    "A thread is joined or detached that cannot be.",
                    "A thread is joined or detached once, and not by itself (POSIX, "
                    "pthread_join and pthread_detach)."},
    [DET_MEMORY] =
        {"memory", "memory error",
         "An invalid memory access: use after free, out of bounds, or "
         "double free.",
         "Find which thread owns the block at each step of the interleaving; the thread "
         "that frees it must know that no other thread still uses it."},
    [DET_EXIT] = {"exit", "non-zero exit", "The program reports failure.",
                  "Its exit status is not 0 in this run."},
    [DET_NONDET] =
        {"nondet", "nondeterministic program",
         "The program behaved differently in two runs with the same schedule and "
         "the same inputs.",
         "It depends on something that treadle does not control: an address, a clock, "
         "a file, a thread of a library."},
    [DET_LINEAR] = {"linear", "not linearizable",
                    "No sequential order of the operations on a structure explains their "
                    "results.",
                    "Look for an operation that takes effect in two steps, with another "
                    "operation between them."},
    [DET_MARK] = {"mark", "misuse of a mark",
                  "treadle_op_begin and treadle_op_end do not match.",
                  "A thread must end an operation before it begins another one."},
    [DET_LEAK] = {"leak", "memory leak",
                  "A block was not freed, and no pointer to it remains.",
                  "In this interleaving no thread frees it."},
};

static_assert(sizeof rules / sizeof rules[0] == DET_N_KINDS, "a rule for each kind");

const rep_rule *rep_rule_of(det_kind kind)
{
    TD_ASSERT(kind < DET_N_KINDS);
    return &rules[kind];
}

det_kind rep_kind_named(const char *id)
{
    for (unsigned i = 0; i < DET_N_KINDS; i++)
        if (strcmp(rules[i].id, id) == 0)
            return (det_kind)i;
    return DET_N_KINDS;
}
