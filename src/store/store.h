/* SPDX-License-Identifier: Apache-2.0 */
/* store/store.h - recordings and the session directory.
 *
 * Purpose     A recording is text of a few hundred bytes that repeats a run: decisions,
 * no machine state. A session directory holds session.db and one recording per finding.
 * Home of SQLite. Invariants  (O1) reading what was written gives the same recording;
 *             (O2) any bytes give a recording or a sentence, never a crash.
 * Ownership   sto_recording owns its texts and vectors.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "detect/detect.h"
#include "trace/trace.h"

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
 *     schedule main:2 T1:2 T2:7 T1:5 main:2
 *     fail assert bank.c:39 main
 *     message assertion 'balance >= 0' failed
 *
 * The first line and program must be there. An input has its name, type (i signed, u
 * unsigned, b not known, and its bits), value and key; bytes are inputs of 8 bits with
 * growing indices, and keys that follow each other by sto_key_after; both in the order in
 * which the run asks for them. promote names accesses, read or write, that the schedule
 * counts. schedule may take several lines. main is
 * thread 0, Tn thread n by order of creation. Words with blanks, quotes or
 * control characters are written in double quotes with \" \\ \n \xHH. */
typedef struct sto_recording {
    char *version; /* of treadle */
    char *program;
    char *build_id; /* "" if unknown */
    sto_text_vec args;
    sto_text_vec sym_args; /* arguments that are inputs, I:TYPE */
    uint32_t sym_stdin;    /* bytes of standard input that are inputs */
    uint32_t n_spurious;   /* wake-ups for no reason that each thread may have */
    sto_input_vec inputs;
    sto_promoted_vec promoted;
    trc_step_vec schedule;
    char *fail_kind; /* "assert" */
    char *fail_file;
    uint32_t fail_line;
    char *fail_function;
    char *message;
} sto_recording;

void sto_recording_print(const sto_recording *r, td_text *out);
TD_MUST_USE td_status sto_recording_parse(const char *text, size_t len,
                                          sto_recording *out, td_diag *diag);
void sto_recording_fini(sto_recording *r);
/* The key of the input that a thread makes after the one with this key. */
uint64_t sto_key_after(uint64_t key);

/* ---- session directory ---- */

typedef struct sto_session sto_session;

/* dir NULL: treadle-out/NAME.N of the program, with treadle-out/latest pointing to it and
 * a .gitignore; else dir itself. */
TD_MUST_USE td_status sto_session_create(const char *dir, const char *program,
                                         sto_session **out, td_diag *diag);
const char *sto_session_dir(const sto_session *s);
TD_MUST_USE td_status sto_session_finding(sto_session *s, const det_finding *f,
                                          const sto_recording *r, td_diag *diag);
/* name/value facts of the session: verdict, runs, digest, ... */
TD_MUST_USE td_status sto_session_fact(sto_session *s, const char *name,
                                       const char *value, td_diag *diag);
TD_MUST_USE td_status sto_session_ledger(sto_session *s, const det_ledger *l,
                                         td_diag *diag);
void sto_session_close(sto_session *s);

/* Path of the recording FINDING names: a path, or an id of the newest session. Caller
 * frees. */
TD_MUST_USE td_status sto_find_recording(const char *finding, char **path, td_diag *diag);
