/* SPDX-License-Identifier: Apache-2.0 */
/* Copies go backwards from now on: the direction flag.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

static void evil(void)
{
#if defined(__x86_64__)
    __asm__ volatile("std");
#endif
}
