/* SPDX-License-Identifier: Apache-2.0 */
/* Has no stack from now on.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete
 * runs: 2 */
#include "hostile.h"

static void evil(void)
{
#if defined(__x86_64__)
    __asm__ volatile("xorl %%esp, %%esp\n\tpush %%rax" ::: "memory");
#else
    abort();
#endif
}
