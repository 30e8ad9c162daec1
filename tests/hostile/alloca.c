/* SPDX-License-Identifier: Apache-2.0 */
/* A local array far larger than the stack.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug
 * runs: 2 */
#include "hostile.h"

#include <alloca.h>

static volatile size_t size = 1ul << 36;

static void evil(void)
{
    volatile char *p = alloca(size);
    p[0] = 1;
}
