/* SPDX-License-Identifier: Apache-2.0 */
/* Jumps out of a handler of exit, back into main, which exits again.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

#include <setjmp.h>

static jmp_buf back;

static void handler(void)
{
    longjmp(back, 1);
}

static void evil(void)
{
    atexit(handler);
    atexit(handler);
    if (setjmp(back) == 0)
        exit(0);
    exit(0);
}
