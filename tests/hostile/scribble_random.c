/* SPDX-License-Identifier: Apache-2.0 */
/* Writes random bytes at random places of all its writable memory.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

#include <stdint.h>
#include <stdio.h>

static uint64_t state = 88172645463325252u;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static void evil(void)
{
    uintptr_t from[256], to[256];
    int n = 0;
    char line[512], mode[8];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (n < 256 && maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &from[n], &to[n], mode) == 3 && mode[1] == 'w')
            n++;
    for (int i = 0; n > 0 && i < 100000; i++) {
        int k = next() % n;
        *(volatile char *)(from[k] + next() % (to[k] - from[k])) = (char)next();
    }
}
