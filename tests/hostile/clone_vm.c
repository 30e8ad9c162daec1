/* SPDX-License-Identifier: Apache-2.0 */
/* A process of its own that shares all memory, and writes into it.
 *
 * treadle: --search=all -k --time=20s
 * verdict: incomplete bug
 * runs: 2 */
#include "hostile.h"

#include <sched.h>

static char stack[65536];

static int other(void *arg)
{
    for (int i = 0; i < 1000; i++)
        atomic_fetch_add((atomic_int *)arg, 1);
    return 0;
}

static void evil(void)
{
    clone(other, stack + sizeof stack, CLONE_VM, &hostile_go);
}
