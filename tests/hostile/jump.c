/* SPDX-License-Identifier: Apache-2.0 */
/* A jump to nowhere.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug
 * runs: 2
 * lost: no */
#include "hostile.h"

static void (*volatile f)(void) = (void (*)(void))0x1234;

static void evil(void)
{
    f();
}
