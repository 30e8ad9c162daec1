/* SPDX-License-Identifier: Apache-2.0 */
/* An alarm that nobody handles.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

#include <unistd.h>

static volatile int always = 1;

static void evil(void)
{
    alarm(1);
    while (always)
        continue;
}
