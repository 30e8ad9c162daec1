/* SPDX-License-Identifier: Apache-2.0 */
/* run/symbolic_inputs.h - inputs that are given from outside: arguments and standard input.
 *
 * Purpose     Reads and prints what --sym-arg and recordings say:
 *
 *                 I:TYPE    argument I, 1.., is a number: i8..i64, u8..u64, int
 *                 I:str:N   argument I is a text of N bytes
 *                 I         argument I is a text as long as the one given
 */
#pragma once

#include "base/status.h"
#include "base/text.h"
#include "trace/repairs.h"
#include "trace/weaker_orders.h"
#include "wire/wire.h"

typedef struct run_given {
    wire_sym_arg args[WIRE_MAX_SYM_ARGS];
    uint32_t n_args;
    uint32_t stdin_bytes; /* 0: standard input is what it is */
    uint32_t
        /* Spurious wakeups that each thread may have in a run, plus 1; 0: one at each wait outside of a
         * loop. */
        spurious;
    bool reuse;       /* a block that one thread frees may be reused by another */
    bool every_round; /* rounds of loops that could be left out are run */
    /* Borrowed while the program is open; orders in place of others. */
    const trc_weaker *weaker;
    size_t n_weaker; /* at most WIRE_MAX_WEAKER */
    /* Borrowed likewise; virtual repairs. */
    const trc_repair *repairs;
    size_t n_repairs; /* at most WIRE_MAX_REPAIRS */
} run_given;

/* Adds the symbolic argument that the text describes; argv is the program's. */
TD_MUST_USE td_status run_given_add(run_given *g, const char *text, char *const *argv,
                                    td_diag *diag);
/* Prints it in the form that names the type. */
void run_given_print(const wire_sym_arg *a, td_text *out);
