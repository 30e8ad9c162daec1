/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for ever on an atomic that nobody writes: a livelock.
 *
 * treadle: --search=random --runs=20 --depth=5000 --time=20s
 * verdict: bug
 * runs: 1
 * lost: no */
#include "hostile.h"

static atomic_int never;

static void evil(void)
{
    while (!atomic_load(&never))
        continue;
}
