/* SPDX-License-Identifier: Apache-2.0 */
/* Reads its standard input to the end.
 *
 * treadle: --search=all -k --time=20s
 * verdict: complete incomplete
 * runs: 2
 * lost: no */
#include "hostile.h"

#include <stdio.h>

static void evil(void)
{
    while (getchar() != EOF)
        continue;
}
