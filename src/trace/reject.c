/* SPDX-License-Identifier: Apache-2.0 */
/* The error message for an invalid record: which one, and why. */
#include "trace/decode.h"

#include <stdio.h>

td_status trc_reject(const trc *t, td_diag *diag, const char *format, ...)
{
    char why[200];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return td_diag_set(diag, TD_E_FORMAT, "record %llu of the run: %s",
                       (unsigned long long)t->decoder.n_recs, why);
}
