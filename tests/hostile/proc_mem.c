/* SPDX-License-Identifier: Apache-2.0 */
/* Writes into the memory that it shares with treadle, past all protection: through
 * /proc/self/mem.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void evil(void)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    int mem = open("/proc/self/mem", O_RDWR);
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long at = strtoul(line, NULL, 16);
        if (strstr(line, "rw-s"))
            for (int i = 0; i < 64; i++)
                (void)!pwrite(mem, "\xff\xff\xff\xff\xff\xff\xff\xff", 8,
                              (off_t)(at + 8 * i));
    }
}
