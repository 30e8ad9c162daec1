/* SPDX-License-Identifier: Apache-2.0 */
/* Recursion without end: the stack overflows.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug
 * runs: 2
 * lost: no */
#include "hostile.h"

static volatile int sink;

static int deeper(int n)
{
    volatile char frame[200];
    frame[n % 200] = 1;
    return deeper(n + 1) + frame[n % 200];
}

static void evil(void)
{
    sink = deeper(0);
}
