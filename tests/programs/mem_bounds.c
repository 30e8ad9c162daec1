/* SPDX-License-Identifier: Apache-2.0 */
/* Beyond the ends of a block: by a line of the program, and by functions of the library.
 *
 * treadle:
 * args: 0
 * expect: verdict bug
 * expect: finding memory mem_bounds.c:67
 * expect: says write of 4 bytes (block[]), 0 bytes after the end of the 16 bytes allocated at mem_bounds.c:64 by main
 * treadle:
 * args: 1
 * expect: verdict bug
 * expect: finding memory mem_bounds.c:70
 * expect: says read of 4 bytes (block[]), 0 bytes after the end of the 16 bytes
 * treadle:
 * args: 2
 * expect: verdict bug
 * expect: finding memory mem_bounds.c:73
 * expect: says write of 4 bytes (block[]), 4 bytes before the start of the 16 bytes
 * treadle:
 * args: 3
 * expect: verdict bug
 * expect: finding memory mem_bounds.c:76
 * expect: says read of 8 bytes (*block), of which 4 bytes beyond the end of the 16 bytes
 * treadle:
 * args: 4
 * expect: verdict bug
 * expect: finding memory mem_bounds.c:79
 * expect: says write of 20 bytes (*block), of which 4 bytes beyond the end of the 16 bytes
 * treadle:
 * args: 5
 * expect: verdict bug
 * expect: finding memory mem_bounds.c:82
 * expect: says of which 4 bytes beyond the end of the 16 bytes
 * treadle:
 * args: 6
 * expect: verdict bug
 * expect: finding memory mem_bounds.c:85
 * expect: says of which 5 bytes beyond the end of the 16 bytes
 * treadle:
 * args: 7
 * expect: verdict bug
 * expect: finding memory mem_bounds.c:89
 * expect: says beyond the end of the 16 bytes
 * treadle:
 * args: 8
 * expect: verdict bug
 * expect: finding memory mem_bounds.c:92
 * expect: says beyond the end of the 16 bytes
 * treadle:
 * args: 9
 * expect: verdict bug
 * expect: finding memory mem_bounds.c:95
 * expect: says in the heap, not near any block */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int sink;
static char text[24] = "twenty letters, then";

int main(int argc, char **argv)
{
    int n = argc > 1 ? 4 : 0;
    int *block = malloc((size_t)n * sizeof *block);
    switch (argv[1][0]) {
    case '0':
        block[n] = 1;
        break;
    case '1':
        sink = block[n];
        break;
    case '2':
        block[-n / 4] = 1;
        break;
    case '3':
        sink = (int)*(long *)((char *)block + 12);
        break;
    case '4':
        memcpy(block, text, 20);
        break;
    case '5':
        memset(block + 1, 0, 16);
        break;
    case '6':
        strcpy((char *)block, text);
        break;
    case '7':
        memset(block, 'x', 16);
        sink = (int)strlen((char *)block);
        break;
    case '8':
        snprintf((char *)block, 100, "%s", text);
        break;
    case '9':
        block[1000 * n] = 1;
        break;
    }
    free(block);
    return 0;
}
