/* SPDX-License-Identifier: Apache-2.0 */
/* Every floating-point operation that is not exact is a fault from now on.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete
 * runs: 2 */
#include "hostile.h"

static void evil(void)
{
#if defined(__x86_64__)
    volatile double x = 1;
    unsigned mode = 0x0040; /* all exceptions are faults, small numbers are 0 */
    __asm__ volatile("ldmxcsr %0" ::"m"(mode));
    x = x / 3;
#else
    abort();
#endif
}
