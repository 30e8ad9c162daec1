/* SPDX-License-Identifier: Apache-2.0 */
/* Gives up all system calls but read, write and exit.
 *
 * treadle: --search=all -k --time=20s
 * verdict: incomplete
 * runs: 2
 * lost: no */
#include "hostile.h"

#include <linux/seccomp.h>
#include <sys/prctl.h>

static void evil(void)
{
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
}
