/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the right to write from its own memory.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete
 * runs: 2 */
#include "hostile.h"

#include <stdint.h>
#include <sys/mman.h>

static int x;

static void evil(void)
{
    uintptr_t page = (uintptr_t)&x & ~4095ul;
    mprotect((void *)page, 4096, PROT_READ);
    x = 1;
}
