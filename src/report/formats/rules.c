/* SPDX-License-Identifier: Apache-2.0 */
/* What is told about a kind of finding where there is room for it: in SARIF and in HTML. */
#include "report/formats/formats.h"

#include <string.h>

static const rep_rule rules[] = {
    [DET_ASSERT] =
        {"assert", "assertion failed", "An assertion of the program does not hold.",
         "The condition says what the program relies on. Read the interleaving "
         "backwards from the failing step: some write of another thread, or some "
         "input, came where it was not expected."},
    [DET_ABORT] = {"abort", "abort", "The program ends itself with abort().",
                   "Some check of the program or of a library failed."},
    [DET_CRASH] =
        {"crash", "crash", "The program is ended by a signal.",
         "A pointer was used that was never set, or not any more; or a number was "
         "divided by zero."},
    [DET_HANG] = {"hang", "hang", "A thread computes without end.",
                  "For the whole time limit it did no operation that other threads can "
                  "notice. It waits for nobody: some loop does not end."},
    [DET_RACE] =
        {"race", "data race",
         "Two threads access the same memory, one of them writes, and nothing "
         "orders the two accesses.",
         "By C11 (5.1.2.4) a data race is undefined behaviour, and POSIX "
         "(XBD 4.12) asks that memory which one thread may modify is not read or "
         "modified by another at the same time. Protect both accesses with one "
         "mutex, or make the object atomic."},
    [DET_DEADLOCK] =
        {"deadlock", "deadlock",
         "Threads wait for each other, or for what nobody will do.",
         "Take locks in one order everywhere; signal under the lock that the "
         "waiting thread checks its condition with."},
    [DET_LIVELOCK] =
        {"livelock", "livelock", "A thread goes round a loop that nobody will ever end.",
         "The loop reads the same values again and again, and no other thread "
         "is left that could write others."},
    [DET_MUTEX] =
        {"mutex", "mutex misuse", "A mutex is used in a way that POSIX leaves undefined.",
         "A mutex is unlocked by the thread that locked it, is not locked twice by "
         "one thread unless it is recursive, and is not destroyed while it is "
         "locked (POSIX, pthread_mutex_lock and pthread_mutex_destroy)."},
    [DET_MISUSE] =
        {"misuse", "misuse of the threads library",
         "An object of the threads library is used in a way that POSIX leaves "
         "undefined.",
         "An object must be initialised before it is used, and nobody may use it "
         "or wait at it when it is destroyed."},
    [DET_THREAD] = {"thread", "thread misuse",
                    "A thread is joined or detached that cannot be.",
                    "A thread is joined or detached once, and not by itself (POSIX, "
                    "pthread_join and pthread_detach)."},
    [DET_MEMORY] =
        {"memory", "memory error",
         "Memory is used that is not there: freed, beyond the end of a block, or "
         "freed twice.",
         "Find out who owns the block at each step of the interleaving; the one who "
         "frees it must know that nobody else still has it."},
    [DET_EXIT] = {"exit", "non-zero exit", "The program says that it failed.",
                  "Its exit status is not 0 in this run."},
    [DET_NONDET] =
        {"nondet", "nondeterministic program",
         "The program did different things in two runs with the same schedule and "
         "the same inputs.",
         "It depends on something that is not under control: an address, a clock, "
         "a file, a thread of a library."},
    [DET_LINEAR] =
        {"linear", "not linearizable",
         "The results of operations of a structure are those of no order of the "
         "operations, one after the other.",
         "Look for an operation that takes effect in two steps, and for another "
         "one between them."},
    [DET_MARK] =
        {"mark", "misuse of a mark", "treadle_op_begin and treadle_op_end do not match.",
         "A thread ends an operation that it has begun before it begins another."},
    [DET_LEAK] = {"leak", "memory leak",
                  "A block is not freed, and nothing points to it any more.",
                  "In this interleaving nobody frees it."},
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
