/* SPDX-License-Identifier: Apache-2.0 */
/* A handler of exit that calls exit.
 *
 * treadle: --search=all -k --time=20s
 * verdict: complete incomplete bug
 * runs: 2
 * lost: no */
#include "hostile.h"

static void again(void)
{
    exit(1);
}

static void evil(void)
{
    atexit(again);
    exit(0);
}
