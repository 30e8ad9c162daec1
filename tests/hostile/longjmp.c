/* SPDX-License-Identifier: Apache-2.0 */
/* longjmp into a frame that is gone.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

#include <setjmp.h>

static jmp_buf env;
static volatile int n;

static __attribute__((noinline)) void set(void)
{
    if (setjmp(env))
        n++;
}

static void evil(void)
{
    set();
    if (n < 3)
        longjmp(env, 1);
}
