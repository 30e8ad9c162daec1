/* SPDX-License-Identifier: Apache-2.0 */
/* A shell.
 *
 * treadle: --search=all -k --time=20s
 * verdict: incomplete
 * runs: 2
 * lost: no */
#include "hostile.h"

static volatile int sink;

static void evil(void)
{
    sink = system("sleep 1000");
}
