/* SPDX-License-Identifier: Apache-2.0 */
/* A division by zero.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug
 * runs: 2
 * lost: no */
#include "hostile.h"

static volatile int zero, sink;

static void evil(void)
{
    sink = 100 / zero;
}
