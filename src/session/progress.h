/* SPDX-License-Identifier: Apache-2.0 */
/* session/progress.h - what a session prints while it runs.
 *
 * Purpose     What was done so far, an estimate of what remains, and both as a line or a screen.
 * Words       guess: an estimate of the total number of runs, made at one moment.
 * Invariants  (P1) no line is wider than requested; (P2) an estimate is shown only while the
 *             recent guesses agree.
 * Ownership   Texts are the caller's; nothing else is allocated.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "explore/core/explore.h"

/* ---- estimate.c: what remains ---- */

typedef struct ses_guess {
    uint64_t ms, runs; /* when it was made */
    double total;      /* runs in all */
} ses_guess;

enum { SES_GUESSES = 128 };

/* Guesses, oldest first; each was made after a few per cent more runs than the one before. */
typedef struct ses_estimate {
    ses_guess at[SES_GUESSES];
    size_t n;
} ses_estimate;

typedef struct ses_remaining {
    bool is_known;
    double share; /* completed part of the time: 0..1 */
    uint64_t ms;  /* remaining time */
    double runs;  /* likewise */
} ses_remaining;

/* Adds the search's estimate after that many runs and milliseconds. */
void ses_estimate_add(ses_estimate *e, uint64_t ms, uint64_t runs, const xpl_left *left);
ses_remaining ses_estimate_now(const ses_estimate *e);

/* ---- progress_line.c: numbers and times as text, and the progress line ---- */

/* The progress so far. */
typedef struct ses_now {
    uint64_t ms, runs, events, targets, findings, queries;
    /* Workers that the counters include; 0: the search is not shared */
    uint64_t n_workers;
    uint64_t pairs;            /* covered pairs of places; 0: not counted */
    double rate;               /* recent runs per second */
    uint64_t n_sides, n_taken; /* branch outcomes; n_sides 0: unknown */
    ses_remaining remaining;
    uint64_t limit_ms; /* --time; 0: none */
} ses_now;

/* 1234567 as 1,234,567. */
void ses_number(uint64_t n, char out[32]);
/* The same, 1.23 M from a million on. */
void ses_short_number(uint64_t n, char out[32]);
/* A limit for people: "500 ms", "10 s", "5 min". */
void ses_duration(uint64_t ms, char out[32]);
/* The time since the start: "0:07", "14:32", "3:14:32". */
void ses_clock(uint64_t ms, char out[32]);

/* "about 40 % done, 14 min left", or nothing. */
void ses_remaining_text(const ses_now *n, td_text *out);
/* One line of at most columns bytes, without its end. */
void ses_line_text(const ses_now *n, uint32_t columns, td_text *out);

/* ---- status_screen.c: the screen ---- */

enum { SES_RATES = 60 };

typedef struct ses_screen_finding {
    const char *id, *file;
    uint32_t line;
} ses_screen_finding;

typedef struct ses_screen {
    ses_now now;
    const char *version, *program, *goal, *search;
    const char *chosen; /* what the search chose and why, or NULL */
    uint64_t seed;
    uint64_t blocked, repeats, traces; /* traces 0: not counted */
    bool traces_counted;
    uint64_t n_ops;      /* operations of all runs */
    uint64_t promoted;   /* sites */
    int64_t preemptions; /* completed; -1: none, or the search has no bound */
    const ses_screen_finding *findings; /* n_findings, newest first */
    size_t n_findings;
    uint64_t last_found_ms; /* 0: nothing was found */
    uint64_t sat, unsat, unknown, cached;
    uint64_t n_gaps;      /* lines of the ledger */
    const char *last_gap; /* kind of the last of them, or NULL */
    uint64_t memory_kb;
    double load;           /* load of the machine; < 0: unknown */
    const uint32_t *rates; /* runs a second, n_rates, oldest first */
    size_t n_rates;
    bool colour;
} ses_screen;

/* Writes at most rows lines of at most columns bytes, each ended by a newline. */
void ses_screen_text(const ses_screen *s, uint32_t columns, uint32_t rows, td_text *out);
