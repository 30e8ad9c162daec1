/* SPDX-License-Identifier: Apache-2.0 */
/* Gives back the memory of its own stack while it stands on it.
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
    madvise((void *)(at - 16384), 32768, MADV_DONTNEED);
}
