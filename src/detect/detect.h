/* SPDX-License-Identifier: Apache-2.0 */
/* detect/detect.h - findings: the failures of a run, and the ledger of what was not covered.
 *
 * Purpose     Reads a decoded run and names its bug; keeps the ledger.
 * Words       finding, ledger: docs/glossary.md.
 *             signature: equal for two findings if they are the same bug.
 *             cause of a deadlock: a cycle of waits, or a thread that waits for something no
 *             thread will provide. Threads that wait for those are its victims.
 *             livelock: a cause that is a thread in a loop that no thread will end.
 *             key: the signature as a name, made from the places themselves. id: the same, but with
 *             the user's line for each place in the C++ library.
 * Invariants  (D1) the id of a finding depends on its kind and on files (without directory), lines and
 *                  functions of the user's code only: stable across runs, machines and versions of
 *                  the library. It needs stacks, which replays record: until then it is the key;
 *             (D2) the same gap at the same site is one ledger entry with a count;
 *             (D3) the id of a deadlock depends on its cause only, whatever else is stuck
 *                  in the same run.
 * Ownership   A det_finding owns its texts.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/site_table.h"
#include "trace/trace.h"

/* kind, first part of the id, title */
#define DET_KINDS(X)                                                                     \
    X(ASSERT, "assert", "assertion failed")                                              \
    X(ABORT, "abort", "abort")                                                           \
    X(CRASH, "crash", "crash")                                                           \
    X(HANG, "hang", "hang")                                                              \
    X(RACE, "race", "data race")                                                         \
    X(DEADLOCK, "deadlock", "deadlock")                                                  \
    X(LIVELOCK, "livelock", "livelock")                                                  \
    X(MUTEX, "mutex", "mutex misuse")                                                    \
    X(MISUSE, "misuse", "pthread misuse")                                                \
    X(THREAD, "thread", "thread misuse")                                                 \
    X(MEMORY, "memory", "memory error")                                                  \
    X(EXIT, "exit", "non-zero exit")                                                     \
    X(NONDET, "nondet", "nondeterministic program")                                      \
    X(LINEAR, "linear", "not linearizable")                                              \
    X(MARK, "mark", "misuse of a mark")                                                  \
    X(LEAK, "leak", "memory leak")

typedef enum det_kind {
#define X(name, id, title) DET_##name,
    DET_KINDS(X)
#undef X
        DET_N_KINDS
} det_kind;

/* An operation of a history that no order explains. */
typedef struct det_call {
    char *text; /* "pop() = 1" */
    uint32_t thread;
    uint32_t begin, end; /* positions in the history, 1..; end 0: it has not ended */
    bool fails;          /* the one that no order explains */
} det_call;

/* A lock that is held, and where it was taken. */
typedef struct det_lock {
    char *name; /* "" if unknown */
    char *file, *function;
    uint32_t line;
    bool is_reader; /* with other readers */
    uint64_t object;
} det_lock;

TD_VEC(det_lock, det_lock_vec);

/* One access of a data race. */
typedef struct det_side {
    uint32_t thread;
    bool is_write, is_atomic;
    uint32_t size;         /* bytes; 0: not known */
    char *file, *function; /* place of the access */
    char *name;            /* name of the accessed object, "" if unknown */
    uint32_t line, column;
    char *created_file; /* place of the call that created the thread; NULL for main */
    char *created_function;
    uint32_t created_line;
    bool locks_known;   /* it is known which locks it held */
    det_lock_vec locks; /* in the order in which they were taken */
} det_side;

/* Where the block of a memory error was allocated or freed. */
typedef struct det_party {
    char *file; /* NULL: it is not known */
    char *function;
    uint32_t line, thread;
} det_party;

/* The message of an abort that has no other. */
#define DET_CALLED_ABORT "the program called abort"

typedef struct det_finding {
    det_kind kind;
    char id[32]; /* "assert-71c2" */
    char key
        /* Identifies it within a session, also in runs without stacks. Up to 1.0 this was the id. */
        [32];
    bool is_named; /* id is made of the user's lines */
    char *file;    /* as in the site table */
    char *function;
    uint32_t line;
    char *message; /* "assertion 'balance >= 0' failed" */
    /* race: the earlier access; memory: where the block was freed, otherwise where it was allocated; NULL:
     * there is no other place */
    char *other_file;
    char *other_function;
    uint32_t other_line;
    /* The user's lines that lead to both places, if is_named; NULL: the place is the user's */
    det_party user, other_user;
    char *library;   /* the function of the C++ library whose own bug it is, or NULL */
    det_call *calls; /* LINEAR: n_calls, in the order in which they began; else NULL */
    uint32_t n_calls;
    uint32_t n_earlier;         /* earlier operations that are not listed */
    char *why;                  /* LINEAR: lines about the failing one; else NULL */
    det_side *sides;            /* race: the earlier and the later access; else NULL */
    det_party allocated, freed; /* memory, leak */
    char *
        last_output; /* last lines that the run wrote, none with control bytes; or NULL */
    bool is_output_errors; /* ... to standard error, else to standard output */
    bool always;           /* EXIT: no run was seen that ends otherwise */
    uint32_t thread;       /* that failed, in the run; of a deadlock, one of its cause */
    uint32_t fail;         /* index in trc.fails, UINT32_MAX: none (deadlock) */
    uint64_t run;          /* number of the run that first showed it */
    uint32_t preemptions;
    uint32_t interferences; /* that lead to it at least, and 1; 0: not counted */
} det_finding;

TD_VEC(det_finding, det_finding_vec);

/* Adds the findings of a run to out. With WIRE_JOB_RACE_ON there may be several
 * races. A deadlock is one finding for each cycle of waits, and one for each thread that
 * waits for what no thread will give it; threads that wait for those are not findings. */
void det_findings(const trc *t, trc_sites *sites, det_finding_vec *out);
/* The same without failures for which `known` returns true; NULL: with all. */
typedef struct det_known {
    bool (*known)(const void *ctx, const trc_fail *f);
    const void *ctx;
} det_known;
void det_findings_new(const trc *t, trc_sites *sites, det_known known,
                      det_finding_vec *out);
/* Frees the findings and the vector. */
void det_findings_fini(det_finding_vec *v);
/* The finding of two runs with the same schedule that differ, with their first
 * difference. */
void det_nondet(const trc *expected, const trc *seen, trc_sites *sites, det_finding *out);
void det_finding_fini(det_finding *f);

/* True if the finding is that threads wait forever. */
static inline bool det_is_stuck(det_kind kind)
{
    return kind == DET_DEADLOCK || kind == DET_LIVELOCK;
}

/* What a thread waits for in such an operation, before the name of the object: "a signal of "; ""
 * for a lock. */
const char *det_wait_text(uint8_t kind);
/* What the object of such an operation is, which is not memory: "a semaphore". */
const char *det_object_text(uint8_t kind);
const char *det_kind_id(det_kind kind);
const char *det_kind_title(det_kind kind);
/* That of its kind, but for uses of freed memory: "use after free", "double free". */
const char *det_finding_title(const det_finding *f);

/* True for code of the C++ library in headers, and for what the runtime has in its place. */
bool det_is_library(const char *file);
/* True for the latter of these, and for treadle.hpp. */
bool det_is_ours(const char *file);

/* Where an event of a run is: its site, or the user's line that leads to a site in the library. Texts
 * belong to sites;
 * line 0: no line of the user's is known. */
trc_site det_users_site(const trc *t, const trc_sites *sites, uint32_t thread,
                        uint32_t site, uint32_t stack);

/* True if the call at the site frees a block. */
bool det_gives_back(trc_site site);

/* ---- ledger ---- */

/* Ledger kind of a finding that a suppression covers. */
#define DET_SUPPRESSED "suppressed"
/* Ledger kind of a failure that could not be replayed, because the session had to end. */
#define DET_SUSPECTED "suspected"
/* Ledger kind of volatile accesses that count as atomic. */
#define DET_VOLATILE "volatile"
/* The kind of line for a function that is not watched, and that the user trusts. */
#define DET_TRUSTED "trusted"

/* Functions that may stay unwatched. */
typedef struct det_trust {
    const char *const *names; /* each some names, with commas between them */
    size_t n_names;
    bool libraries; /* all of shared libraries, and of the C library */
} det_trust;

typedef struct det_gap {
    char *kind; /* "not modelled", "depth", "runs", "time", ... */
    char *file; /* "" where it is of no line */
    uint32_t line;
    uint64_t count;
    char *text; /* "pthread_cond_wait" */
} det_gap;

TD_VEC(det_gap, det_gap_vec);

typedef struct det_ledger {
    det_gap_vec gaps;       /* in order of first appearance */
    const det_trust *trust; /* NULL: none */
} det_ledger;

void det_ledger_add(det_ledger *l, const char *kind, const char *file, uint32_t line,
                    const char *text);
/* The same with a count, for a gap of no line. */
void det_ledger_add_many(det_ledger *l, const char *kind, const char *text,
                         uint64_t count);
/* What a user does about a gap: an option, a command or a change; "" where nothing is missing, where
 * a limit of the session was reached, or for a kind that is not known. */
const char *det_gap_next(const char *kind);
/* Adds a gap of another ledger. */
void det_ledger_merge(det_ledger *l, const det_gap *g);
/* Adds the gaps of a run: unsupported calls, irreversible ones, limits. */
void det_ledger_run(det_ledger *l, const trc *t, trc_sites *sites);
/* Adds the gap of a run that ended with a failure although other threads should have continued. */
void det_ledger_cut(det_ledger *l, const trc *t, trc_sites *sites);
/* Returns a function that the run called, which is uninstrumented, not trusted, and has atomic instructions
 * or system calls: it may have ordered accesses that seem to race. NULL: there was none. */
const char *det_orders_unseen(const det_ledger *l, const trc *t);
/* True if the entry records a decision of the user, which leaves nothing out. */
bool det_gap_is_note(const det_gap *g);
/* Adds the number of accesses that are atomic because of an option of treadle cc. */
void det_ledger_volatile(det_ledger *l, const trc_sites *sites);
/* True if the entry makes the result incomplete. */
bool det_gap_counts(const det_gap *g);
/* The first gap that makes the result incomplete (fork-per-run, what is suppressed and what
 * counts as atomic do not); NULL: none. */
const det_gap *det_ledger_first(const det_ledger *l);
void det_ledger_fini(det_ledger *l);
