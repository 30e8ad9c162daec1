/* SPDX-License-Identifier: Apache-2.0 */
/* Writes ascending numbers over all of the memory shared with treadle.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

#include <stdint.h>

static uint64_t *volatile area = (uint64_t *)0x07f000000000;

static void evil(void)
{
    for (uint64_t i = 0; i < (17u << 20) / 8; i++)
        area[i] = i;
}
