/* SPDX-License-Identifier: Apache-2.0 */
/* report/text/lines.h - pieces of lines that keep to a width and have only printable characters. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Only printable ASCII goes through; anything else becomes '?', a tab a blank. */
void rep_put_clean(td_text *out, const char *text);
/* The same, with C++ names demangled. */
void rep_put_readable(td_text *out, const char *text);
/* Shortens it with "..." if it is longer than width; with REP_CUT_LEFT the "..." is on the left. */
enum rep_cut { REP_CUT_RIGHT, REP_CUT_LEFT };
void rep_put_cut(td_text *out, const char *text, size_t width, enum rep_cut side);
