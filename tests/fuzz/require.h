/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/require.h - what must hold for any bytes; the fuzzer says what did not. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#define require(holds) ((holds) ? (void)0 : required(__FILE__, __LINE__, #holds))

static inline void required(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}
