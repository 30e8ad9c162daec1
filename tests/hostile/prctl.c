/* SPDX-License-Identifier: Apache-2.0 */
/* Cannot be dumped, dies with its parent, has another name, and may not gain rights.
 *
 * treadle: --search=all -k --time=20s
 * verdict: incomplete complete
 * runs: 2 */
#include "hostile.h"

#include <signal.h>
#include <sys/prctl.h>

static void evil(void)
{
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "(x) R 1 2");
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}
