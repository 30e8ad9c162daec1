/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates small blocks until there are no more.
 *
 * treadle: --search=all -k --time=40s
 * verdict: incomplete bug complete
 * runs: 2 */
#include "hostile.h"

static void evil(void)
{
    while (malloc(40))
        continue;
}
