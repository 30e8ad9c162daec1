/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a hundred megabytes.
 *
 * treadle: --search=all -k --time=20s
 * verdict: complete
 * runs: 2
 * lost: no */
#include "hostile.h"

#include <stdio.h>

static void evil(void)
{
    for (int i = 0; i < 1000000; i++)
        printf("%0100d", i);
    for (int i = 0; i < 1000; i++)
        fprintf(stderr, "%0100d", i);
}
