/* SPDX-License-Identifier: Apache-2.0 */
/* A loop without operations.
 *
 * treadle: --search=all -k --time=60s
 * verdict: bug
 * runs: 2
 * lost: no */
#include "hostile.h"

static volatile int always = 1;

static void evil(void)
{
    while (always)
        continue;
}
