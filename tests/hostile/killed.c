/* SPDX-License-Identifier: Apache-2.0 */
/* Kills itself, unblockable.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete
 * runs: 2 */
#include "hostile.h"

#include <signal.h>

static void evil(void)
{
    raise(SIGKILL);
}
