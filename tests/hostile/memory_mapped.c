/* SPDX-License-Identifier: Apache-2.0 */
/* Maps a great deal of memory by itself.
 *
 * treadle: --search=all -k --time=20s
 * verdict: complete incomplete bug
 * runs: 2 */
#include "hostile.h"

#include <sys/mman.h>

static void evil(void)
{
    for (int i = 0; i < 1000; i++)
        mmap(NULL, 1ul << 30, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}
