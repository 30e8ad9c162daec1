/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates and uses memory for ever.
 *
 * treadle: --search=all -k --time=20s
 * verdict: incomplete suspected bug
 * runs: 2 */
#include "hostile.h"

#include <string.h>

static void evil(void)
{
    for (;;) {
        char *p = malloc(1 << 20);
        memset(p, 1, 1 << 20);
    }
}
