/* SPDX-License-Identifier: Apache-2.0 */
/* instrument/instrument.h - treadle cc: a C compiler that inserts treadle's hooks.
 *
 * Purpose     Behaves like cc for any build. Sources are compiled by clang to bitcode
 *             under the name of the object, instrumented through LLVM-C, and written as
 *             an object under that name; links get treadle's runtime. Home of llvm-c.
 * Words       hook: a call inserted before an instruction (wire/hooks.h).
 *             site: record of such a place (wire/site.h).
 *             support file: what treadle brings for the program (ins_support).
 * Invariants  (I1) hooks are inserted before anything merged, moved or removed an access;
 *             (I2) a failed compilation leaves no object behind;
 *             (I3) nothing is printed unless something is wrong.
 * Threads     None.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"
#include "base/text.h"

/* What a volatile access is, where it is aligned and has 1, 2, 4 or 8 bytes. */
typedef enum ins_volatile {
    INS_VOLATILE_PLAIN,   /* as in C: like any other access */
    INS_VOLATILE_RELAXED, /* a relaxed atomic */
    INS_VOLATILE_ATOMIC   /* a load acquires, a store releases */
} ins_volatile;

/* How one bitcode file becomes an object file. */
typedef struct ins_opts {
    const char *inline_bc;  /* path of the inlined checks, compiled to bitcode */
    unsigned level;         /* 0..3, as in -O2 */
    bool for_size;          /* -Os, -Oz */
    bool keep_debug;        /* false: keep line tables only */
    bool function_sections; /* -ffunction-sections */
    bool data_sections;     /* -fdata-sections */
    ins_volatile volatiles; /* --volatile */
    /* Keep the bitcode instead of code that follows values (kept_bitcode.h) */
    bool light;
    const char *record; /* assembler text that is added; or NULL */
} ins_opts;

/* Runs `treadle cc` with the arguments after the command's own name, argv[1..argc).
 * Returns the exit code. */
int ins_cc_main(int argc, char **argv);

/* Instruments the module in bitcode and writes the object, beside first and renamed. Of a light
 * object the file of bitcode is changed. */
TD_MUST_USE td_status ins_object(const char *bitcode, const char *object,
                                 const ins_opts *opts, td_diag *diag);

/* The name under which the process pid writes an object before it is renamed; what a
 * process that LLVM ended leaves behind. */
void ins_object_beside(const char *object, pid_t pid, td_text *out);

/* The kind of row that wire/library.h has for a function of the C library. VALUES: it touches no memory.
 * TOLD: the runtime replaces it and records its accesses. UNWATCHED: a call is a ledger entry. */
enum ins_row_kind { INS_ROW_VALUES, INS_ROW_WATCHED, INS_ROW_TOLD, INS_ROW_UNWATCHED };

typedef struct ins_row {
    const char *name, *signature;
    enum ins_row_kind kind;
} ins_row;

/* False: it has no row. */
bool ins_row_find(const char *symbol, ins_row *out);
bool ins_row_is(const char *symbol, enum ins_row_kind kind);
