/* SPDX-License-Identifier: Apache-2.0 */
/* A new process.
 *
 * treadle: --search=all -k --time=20s
 * verdict: incomplete
 * runs: 2
 * lost: no */
#include "hostile.h"

#include <unistd.h>

static void evil(void)
{
    if (fork() == 0)
        for (;;)
            pause();
}
