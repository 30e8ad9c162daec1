/* SPDX-License-Identifier: Apache-2.0 */
/* Unmaps the low half of its address space.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete
 * runs: 2 */
#include "hostile.h"

#include <sys/mman.h>

static void evil(void)
{
    munmap((void *)0x10000, 0x080000000000 - 0x10000);
}
