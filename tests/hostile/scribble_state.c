/* SPDX-License-Identifier: Apache-2.0 */
/* Writes over the runtime's own state.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

#include <string.h>

static char *volatile area = (char *)0x070000000000;

static void evil(void)
{
    memset(area, 0xff, 1 << 16);
}
