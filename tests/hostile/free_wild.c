/* SPDX-License-Identifier: Apache-2.0 */
/* Frees what is no block.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug
 * runs: 2
 * lost: no */
#include "hostile.h"

static void *volatile p = (void *)0x4141414141414140;

static void evil(void)
{
    free(p);
}
