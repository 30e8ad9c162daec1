/* SPDX-License-Identifier: Apache-2.0 */
/* Writes over the frames of its callers.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete
 * runs: 2 */
#include "hostile.h"

static void evil(void)
{
    volatile char here[8];
    for (volatile char *p = here; p < here + 4096; p++)
        *p = 0x5a;
}
