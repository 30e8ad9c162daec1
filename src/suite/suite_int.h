/* SPDX-License-Identifier: Apache-2.0 */
/* suite/suite_int.h - what the files of suite/ share.
 *
 *   WAITING   -> CHECKING    start_next    a known recording is replayed
 *   WAITING   -> EXPLORING   start_next    there is none, or no more
 *   CHECKING  -> WAITING     on_exit       the next one, or exploring
 *   EXPLORING -> ENDED       on_exit
 *   any       -> ENDED       conclude      nothing left to do, or interrupted
 */
#pragma once

#include <sys/types.h>

#include "base/vec.h"
#include "store/manifest.h"
#include "store/store.h"
#include "suite/suite.h"

#define SUI_TIME_MS 60000u /* default time of a harness */
#define SUI_LEAST_MS 1000u /* least time of a share */
/* It may take longer: a last question, a finding explained. */
#define SUI_GRACE_MS 120000u
#define SUI_END_MS 5000u /* from being asked to end to being killed */

typedef enum sui_state { SUI_WAITING, SUI_CHECKING, SUI_EXPLORING, SUI_ENDED } sui_state;

/* How a process ended. */
typedef struct sui_exit {
    bool is_late;   /* it was asked to end, because its time was over */
    int code;       /* -1: by a signal */
    int signal;     /* 0: by itself */
    uint64_t at_ms; /* when */
} sui_exit;

typedef enum sui_known_state {
    SUI_UNCHECKED,
    SUI_FAILS,     /* a bug that is still there, or a run that fails now */
    SUI_LEFT,      /* NOT REPRODUCED */
    SUI_PASSES,    /* a run that ended without a failure again */
    SUI_UNREADABLE /* the recording, or the program, cannot be used */
} sui_known_state;

/* A recording that is kept. */
typedef struct sui_known {
    char *path, *id;
    bool is_bug; /* else a run that passed */
    sui_known_state state;
    char *why; /* UNREADABLE; else NULL */
} sui_known;

TD_VEC(sui_known, sui_known_vec);

typedef struct sui_harness {
    char *name;
    char *program;
    sto_text_vec args;
    sto_text_vec options; /* options of `treadle run` */
    char *cd;             /* where it runs; NULL: here */
    sto_text_vec env;     /* NAME=VALUE, besides ours */
    uint64_t time_ms;
    sui_expect expect;
    bool replay_only;
    /* A test of a project: without threads there is nothing to explore. */
    bool may_be_sequential;
    bool needs_known; /* the manifest requires known recordings */

    sui_state state;
    char *dir, *log; /* folder of its session; output of the processes */
    sui_known_vec known;
    size_t next_known;
    pid_t pid; /* while CHECKING or EXPLORING */
    uint64_t start_ms, deadline_ms;
    bool was_stopped; /* to end */
    double seconds;

    sui_outcome outcome;
    bool is_expected;
    char *why;     /* a message, or NULL */
    sto_past past; /* what its session left */
} sui_harness;

TD_VEC(sui_harness, sui_harness_vec);

typedef struct sui {
    const sui_opts *opts;
    FILE *out, *err;
    char *dir;       /* folder of all sessions */
    char *known_dir; /* treadle-known */
    sui_harness_vec all;
    size_t n_left_out;  /* files of the directory that are not harnesses */
    uint32_t jobs;      /* at a time */
    uint32_t n_running; /* processes */
    uint64_t start_ms;
    bool interrupted;
} sui;

/* ---- harnesses.c ---- */
/* The harnesses, their options and their known recordings. */
TD_MUST_USE td_status sui_plan(sui *s, td_diag *diag);
void sui_plan_fini(sui *s);

/* ---- process.c ---- */
typedef enum sui_wake { SUI_WAKE_CHILD, SUI_WAKE_TIME, SUI_WAKE_STOP } sui_wake;
/* Blocks the signals that are waited for; before is to be handed to sui_signals_release. */
void sui_signals_hold(void *before);
void sui_signals_release(const void *before);
/* Starts treadle with these words for a harness, its output at the end of its log. -1: it cannot be. */
pid_t sui_process_start(const char *treadle, char *const *words, const sui_harness *h);
/* False: none has ended. */
bool sui_process_reap(pid_t pid, sui_exit *out);
void sui_process_end(pid_t pid);  /* asks the process to exit ... */
void sui_process_kill(pid_t pid); /* ... it and what it started */
/* Waits until a child has ended, the time has come, or the user wants to stop. */
sui_wake sui_wait(uint64_t until_ms);

/* ---- say.c ---- */
void sui_say_start(const sui *s);
/* The lines of a harness that has ended. */
void sui_say_harness(const sui *s, const sui_harness *h);
/* The table and the last lines. */
void sui_say_end(const sui *s, sui_outcome worst);
const char *sui_outcome_word(sui_outcome o);
/* "known bug ID: still fails" */
void sui_known_text(const sui_known *k, td_text *out);

/* ---- cases.c ---- */
TD_MUST_USE td_status sui_write_junit(const sui *s, td_diag *diag);
