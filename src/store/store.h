/* SPDX-License-Identifier: Apache-2.0 */
/* store/store.h - recordings and the session directory.
 *
 * Purpose     A recording is a text of a few hundred bytes that reproduces a run: decisions, without
 *             machine state. A session directory holds session.db and one recording per finding. Home
 *             of SQLite.
 * Invariants  (O1) writing and reading gives the same recording; (O2) any bytes give a recording or
 *             an error message, never a crash.
 * Ownership   sto_recording owns its texts and vectors.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "detect/coverage.h"
#include "detect/detect.h"
#include "detect/events.h"
#include "trace/repairs.h"
#include "trace/trace.h"
#include "trace/weaker_orders.h"

TD_VEC(char *, sto_text_vec);

#define STO_MAX_NAME 200u /* bytes of the name of an input */

/* A value that treadle chose. */
typedef struct sto_input {
    char *name;
    uint64_t key;   /* names it in jobs */
    uint64_t value; /* bits beyond its width are 0 */
    uint8_t bits;   /* 1..64 */
    uint8_t sign;   /* enum wire_sign */
} sto_input;

TD_VEC(sto_input, sto_input_vec);

/* A place whose plain accesses are operations. */
typedef struct sto_promoted {
    bool is_write;
    char *file, *function;
    uint32_t line, column;
} sto_promoted;

TD_VEC(sto_promoted, sto_promoted_vec);

enum { STO_CAUSE_EVENTS = 4 };

/* An operation or a plain access that is part of a cause. */
typedef struct sto_cause_event {
    char *kind;  /* kind of the operation, or read, write; NULL: there is none */
    bool in_run; /* the run came that far; else it would have come next */
    uint32_t thread;
    uint32_t op; /* its index; an access: operations before it */
    uint32_t site, line;
    char *file;
    uint64_t object;
    char *
        users_file; /* the user's line that leads to a site in the library; NULL: none is known */
    uint32_t users_line;
} sto_cause_event;

/* What experiments showed to be the cause: report/report.h, rep_cause. */
typedef struct sto_cause {
    char *kind; /* "order", "every", "input"; NULL: none is known */
    uint32_t n_kept;
    uint32_t input;                           /* its index in the run */
    sto_cause_event events[STO_CAUSE_EVENTS]; /* first, second; of an earlier order */
} sto_cause;

/* The text, one line per field, '#' starts a comment line, unknown fields are refused:
 *
 *     treadle-recording 1
 *     treadle 0.1.0
 *     program ./bank
 *     build-id 3f0c...
 *     args 30 71
 *     sym-arg 1:i32
 *     sym-stdin 16
 *     input fee i32 -2 5d0c7be21f6a9034
 *     bytes line[0] 9a0f33d1c2b4e758 "GET /\x00\x00"
 *     promote write bank.c:27:13 deposit
 *     weaken store release relaxed bank.c:31:5
 *     repair section m 0000555555558010 once bank.c:27:28 teller
 *     schedule main:2 T1:2 T2:7 T1:5 main:2
 *     fail assert bank.c:39 main
 *     message assertion 'balance >= 0' failed
 *     no-return 14
 *     cause order 1
 *     cause-event first T2 store done 17 0000555555558010 0000001f bank.c:20
 *     cause-event second T1 load done 21 0000555555558010 0000001d bank.c:12
 *
 * It is of version 6 if it has repair, of 5 if an event of its cause has a second place, of 4 if it has weaken, of 3 with a
 * model, of version 2 if it has one of the last three fields, else of version 1. The first line and
 * program must be there. An input has its name, type (i signed, u unsigned, b not known, and its
 * bits), value and key; bytes are inputs of 8 bits with growing indices, and keys that follow each
 * other by sto_key_after; both in the order in which the run asks for them. promote names accesses,
 * read or write, that the schedule counts. schedule may take several lines. main is thread 0, Tn
 * thread n by order of creation. repair has its kind, then
 * section: a mutex and its address (new 0: one of its own), once or loop; order: a number; then FILE:FROM:TO and
 * the function of each place. Words with blanks, quotes or control characters are written in
 * double quotes with \" \\ \n \xHH. */
typedef struct sto_recording {
    char *version; /* version of treadle */
    char *program;
    char *build_id; /* "" if unknown */
    sto_text_vec args;
    sto_text_vec sym_args; /* arguments that are inputs, I:TYPE */
    uint32_t sym_stdin;    /* bytes of standard input that are inputs */
    /* Spurious wakeups that each thread may have, plus 1; 0: one at each wait outside of a loop. */
    uint32_t spurious;
    bool reuse;  /* a block that one thread frees may be reused by another */
    char *model; /* "rc11"; NULL or "": one order of everything */
    /* Orders in place of those of the program; at most WIRE_MAX_WEAKER. */
    trc_weaker_vec weaker;
    trc_repair_vec repairs; /* at most WIRE_MAX_REPAIRS */
    sto_input_vec inputs;
    sto_promoted_vec promoted;
    trc_step_vec schedule;
    char *fail_kind; /* "assert" */
    char *fail_file;
    uint32_t fail_line;
    char *fail_function;
    char *message;
    /* Operations after which every schedule fails, and 1; 0: not known. */
    uint32_t no_return;
    sto_cause cause;
} sto_recording;

void sto_recording_print(const sto_recording *r, td_text *out);
TD_MUST_USE td_status sto_recording_parse(const char *text, size_t len,
                                          sto_recording *out, td_diag *diag);
void sto_recording_fini(sto_recording *r);
/* What a reader takes: with its program, inputs and steps within the limits. False: names what is not;
 * why may be NULL. */
bool sto_recording_valid(const sto_recording *r, char *why, size_t size);
/* "main:2 T1:2 T2:7". */
void sto_schedule_print(const trc_step_vec *schedule, td_text *out);
/* The key of the input that a thread makes after the one with this key. */
uint64_t sto_key_after(uint64_t key);

/* ---- session directory ---- */

typedef struct sto_session sto_session;

/* Where sessions are by default: $TREADLE_OUT, or treadle-out. */
const char *sto_out_dir(void);

/* dir NULL: treadle-out/NAME.N of the program, with treadle-out/latest pointing to it and
 * a .gitignore; else dir itself. */
TD_MUST_USE td_status sto_session_create(const char *dir, const char *program,
                                         sto_session **out, td_diag *diag);
/* One to continue with; what it holds stays. A file without tables is a session in which nothing happened. Refuses
 * what is not a session of this version. */
TD_MUST_USE td_status sto_session_open(const char *dir, sto_session **out, td_diag *diag);
/* A directory that holds sessions, named like that of one; caller frees *out. */
TD_MUST_USE td_status sto_dir_create(const char *dir, const char *name, char **out,
                                     td_diag *diag);
/* The same for sessions of changed programs: findings are not looked for there. */
TD_MUST_USE td_status sto_dir_create_aside(const char *dir, const char *name, char **out,
                                           td_diag *diag);
const char *sto_session_dir(const sto_session *s);
/* page: report/page.h, as JSON. */
TD_MUST_USE td_status sto_session_finding(sto_session *s, const det_finding *f,
                                          const sto_recording *r, const char *page,
                                          td_diag *diag);
/* The page of a finding, and another one in its place. */
TD_MUST_USE td_status sto_session_page(sto_session *s, const char *id, td_text *out,
                                       td_diag *diag);
TD_MUST_USE td_status sto_session_page_set(sto_session *s, const char *id,
                                           const char *page, td_diag *diag);
/* Takes a finding back, with its recording. */
TD_MUST_USE td_status sto_session_forget(sto_session *s, const char *id, td_diag *diag);
/* The finding is told after all others. */
TD_MUST_USE td_status sto_session_last(sto_session *s, const char *id, td_diag *diag);
/* The recording of a run without a failure, in corpus/; its name is that of its trace. */
TD_MUST_USE td_status sto_session_run(sto_session *s, td_id trace, const sto_recording *r,
                                      td_diag *diag);
/* name/value facts of the session: verdict, runs, digest, ... */
TD_MUST_USE td_status sto_session_fact(sto_session *s, const char *name,
                                       const char *value, td_diag *diag);
TD_MUST_USE td_status sto_session_ledger(sto_session *s, const det_ledger *l,
                                         td_diag *diag);
/* How far the session was at one moment. */
typedef struct sto_sample {
    uint64_t ms;     /* since the start */
    uint64_t cpu_ms; /* processor time of treadle itself */
    uint64_t runs, events, targets, findings;
    uint64_t sides_taken; /* branch outcomes taken; 0 if they are not counted */
    uint64_t queries;     /* to the solver */
    bool has_left;        /* there was an estimate: */
    uint64_t left_ms;     /* ... so long to go ... */
    uint64_t left_runs;   /* ... with so many runs */
    uint64_t pairs;       /* pairs of places; 0 if they are not counted */
} sto_sample;
TD_MUST_USE td_status sto_session_sample(sto_session *s, const sto_sample *sample,
                                         td_diag *diag);

/* The state of a search, for a session that continues it. */
typedef struct sto_saved {
    char *search, *build_id; /* name of the search; build id of the program */
    char *command, *options; /* as those of a campaign (exchange.h) */
    uint8_t *promoted, *state;
    size_t n_promoted, n_state; /* bytes */
    uint64_t ms;                /* time of the last sample, when it is read back */
} sto_saved;
#define STO_MAX_SAVED (64u << 20) /* bytes of either */
/* In the place of what was saved before. */
TD_MUST_USE td_status sto_session_save(sto_session *s, const sto_saved *saved,
                                       td_diag *diag);
/* TD_E_USAGE: nothing was saved. The file is not trusted, nor are the bytes. */
TD_MUST_USE td_status sto_session_saved(sto_session *s, sto_saved *out, td_diag *diag);
void sto_saved_fini(sto_saved *saved);

/* What one stage of the solver did. */
typedef struct sto_stage {
    char *name;
    uint64_t answered, calls;
    double seconds;
} sto_stage;
TD_MUST_USE td_status sto_session_stage(sto_session *s, const sto_stage *stage,
                                        td_diag *diag);

/* A side of a branch. */
typedef struct sto_side {
    char *file, *function;
    uint32_t line, column;
    uint32_t side,
        /* outcomes. Of a branch: 1 if the condition holds; of a switch: 0 is the default. */
        n_sides;
    bool is_taken;
    char *text; /* for an outcome not taken: the condition in the source, "" ... */
    char *why;  /* ... and why it was not, as far as is known, "" */
} sto_side;
TD_MUST_USE td_status sto_session_sides(sto_session *s, const sto_side *sides, size_t n,
                                        td_diag *diag);

/* Paths of the recordings of the session before with the same command, the program and its
 * arguments. Where the directory was given, they lie in it from the start. */
void sto_session_before(const sto_session *s, const char *command, sto_text_vec *out);
TD_MUST_USE td_status sto_session_coverage(sto_session *s, const det_coverage *c,
                                           td_diag *diag);
TD_MUST_USE td_status sto_session_events(sto_session *s, const det_event_vec *events,
                                         td_diag *diag);
void sto_session_close(sto_session *s);

/* ---- what a session left ---- */

typedef struct sto_fact {
    char *name, *value;
} sto_fact;

typedef struct sto_found {
    char *id, *kind, *file, *function, *message;
    char *recording; /* path */
    char *page;      /* report/page.h, as JSON */
    uint32_t line;
    uint64_t run;
} sto_found;

TD_VEC(sto_sample, sto_sample_vec);
TD_VEC(sto_stage, sto_stage_vec);
TD_VEC(sto_side, sto_side_vec);
TD_VEC(sto_fact, sto_fact_vec);
TD_VEC(sto_found, sto_found_vec);

/* A session that has ended, or runs at this moment. */
typedef struct sto_past {
    char *dir;
    sto_fact_vec facts;
    sto_found_vec findings; /* in the order in which they were found */
    det_ledger ledger;
    sto_sample_vec samples; /* by growing time */
    sto_stage_vec stages;   /* stages of the solver */
    sto_side_vec sides;     /* with the goal branches, and why one was not taken */
    det_coverage coverage;  /* in order */
    det_event_vec events;   /* none where they are too many */
} sto_past;

/* dir NULL: the newest session. Refuses what is not a session of this version. */
TD_MUST_USE td_status sto_past_read(const char *dir, sto_past *out, td_diag *diag);
/* The value of a fact; "" if there is none. */
/* It wrote its verdict; false also if that cannot be read. */
bool sto_session_has_ended(const char *dir);
const char *sto_past_fact(const sto_past *p, const char *name);
void sto_past_fini(sto_past *p);

/* Path of the recording FINDING names: a path, or an id of the newest session. Caller
 * frees. */
TD_MUST_USE td_status sto_find_recording(const char *finding, char **path, td_diag *diag);

/* Paths of the recordings in a directory, by name; none if it cannot be read. */
void sto_recordings_in(const char *dir, sto_text_vec *out);
void sto_texts_free(sto_text_vec *texts); /* and the texts */
/* A recording from its file. */
TD_MUST_USE td_status sto_recording_read(const char *path, sto_recording *out,
                                         td_diag *diag);
