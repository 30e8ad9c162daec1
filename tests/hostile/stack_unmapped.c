/* SPDX-License-Identifier: Apache-2.0 */
/* Unmaps its own stack.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete
 * runs: 2 */
#include "hostile.h"

#include <stdint.h>
#include <sys/mman.h>

static void evil(void)
{
    char here;
    uintptr_t at = (uintptr_t)&here & ~UINT64_C(4095);
    munmap((void *)(at - 65536), 131072);
}
