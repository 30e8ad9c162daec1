/* SPDX-License-Identifier: Apache-2.0 */
/* _exit, past every handler.
 *
 * treadle: --search=all -k --time=20s
 * verdict: complete incomplete bug
 * runs: 2
 * lost: no */
#include "hostile.h"

#include <unistd.h>

static void evil(void)
{
    _exit(9);
}
