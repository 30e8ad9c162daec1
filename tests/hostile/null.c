/* SPDX-License-Identifier: Apache-2.0 */
/* A null pointer followed.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug
 * runs: 2
 * lost: no */
#include "hostile.h"

static int *volatile p;

static void evil(void)
{
    *p = 1;
}
