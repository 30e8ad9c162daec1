/* SPDX-License-Identifier: Apache-2.0 */
/* Kills its parent.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

#include <signal.h>
#include <unistd.h>

static void evil(void)
{
    kill(getppid(), SIGKILL);
}
