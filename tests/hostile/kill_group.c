/* SPDX-License-Identifier: Apache-2.0 */
/* Signals its whole process group.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete
 * runs: 2 */
#include "hostile.h"

#include <signal.h>

static void evil(void)
{
    kill(0, SIGTERM);
    kill(0, SIGKILL);
}
