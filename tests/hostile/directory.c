/* SPDX-License-Identifier: Apache-2.0 */
/* Goes to another directory and changes the mask.
 *
 * treadle: --search=all -k --time=20s
 * verdict: complete incomplete
 * runs: 2
 * lost: no */
#include "hostile.h"

#include <sys/stat.h>
#include <unistd.h>

static void evil(void)
{
    if (chdir("/") == 0)
        umask(0777);
}
