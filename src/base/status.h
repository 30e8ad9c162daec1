/* SPDX-License-Identifier: Apache-2.0 */
/* base/status.h - how functions report errors outside treadle.
 *
 * Purpose     A function that can fail for a reason outside treadle returns a td_status and writes
 *             one message into the caller's td_diag.
 * Words       diag: the sink for that message; NULL drops it.
 * Invariants  Only the first message is kept: the innermost place knows best.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#define TD_MUST_USE __attribute__((warn_unused_result))
#define TD_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

typedef enum td_status {
    TD_OK,
    TD_E_USAGE,   /* the user's words are off */
    TD_E_FORMAT,  /* a file or a record is not what it should be */
    TD_E_SYSTEM,  /* the operating system said no */
    TD_E_PROGRAM, /* the program under test cannot be run */
    TD_E_LIMIT,   /* a limit of ours was reached */
} td_status;

typedef struct td_diag {
    char text[400]; /* one sentence without a full stop; "": no message yet */
} td_diag;

/* Return the status of expr from the calling function unless it is TD_OK. */
#define TD_TRY(expr)                                                                     \
    do {                                                                                 \
        td_status td_try_status = (expr);                                                \
        if (td_try_status != TD_OK)                                                      \
            return td_try_status;                                                        \
    } while (0)

/* Writes the message unless there is one; returns the status it was given. */
td_status td_diag_set(td_diag *diag, td_status status, const char *format, ...)
    TD_PRINTF(3, 4);

/* The same, followed by ": " and the text of errno. */
td_status td_diag_errno(td_diag *diag, td_status status, const char *format, ...)
    TD_PRINTF(3, 4);
