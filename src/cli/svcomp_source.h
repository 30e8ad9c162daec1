/* SPDX-License-Identifier: Apache-2.0 */
/* cli/svcomp_source.h - a task of SV-COMP as this machine can run it.
 *
 * Purpose     Tasks of the data model ILP32 are preprocessed with 32-bit headers: their mutexes are too small
 *             for this machine's functions, and their long has 4 bytes. The declarations are rewritten:
 *             objects of the threads API get the size that they have here, and long becomes int wherever
 *             the C library does not look.
 * Invariants  A line stays the line that it was.
 */
#pragma once

#include "base/status.h"
#include "base/text.h"

/* Fails with a message for constructs that would mean something else here. */
TD_MUST_USE td_status cli_svcomp_source(const char *text, size_t n, td_text *out,
                                        td_diag *diag);
