/* SPDX-License-Identifier: Apache-2.0 */
/* Writes before and behind its blocks, then uses them.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

#include <string.h>

static char *volatile p[10];

static void evil(void)
{
    for (int i = 0; i < 10; i++)
        p[i] = malloc(100);
    for (int i = 0; i < 10; i++)
        memset(p[i] - 64, 0x41, 300);
    for (int i = 0; i < 10; i++)
        free(p[i]);
    for (int i = 0; i < 10; i++)
        p[i] = malloc(100);
}
