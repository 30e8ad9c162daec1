/* SPDX-License-Identifier: Apache-2.0 */
/* The end of treadle after a mistake of our own. */
#include "base/assert.h"

#include <stdio.h>
#include <unistd.h>

enum { EXIT_INTERNAL = 70 };

/* _exit, because handlers registered with atexit may trust what has just failed. */
void td_assert_failed(const char *text, const char *file, int line)
{
    fflush(stdout);
    fprintf(stderr, "treadle: internal error at %s:%d: %s\n", file, line, text);
    _exit(EXIT_INTERNAL);
}
