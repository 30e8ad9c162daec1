/* SPDX-License-Identifier: Apache-2.0 */
/* What free and realloc are given was not returned by malloc, or is freed already.
 *
 * treadle:
 * args: 0
 * expect: verdict bug
 * expect: finding memory mem_free_wrong.c:52
 * expect: says free of an address 8 bytes into the 20 bytes allocated at mem_free_wrong.c:49 by main
 * treadle:
 * args: 1
 * expect: verdict bug
 * expect: finding memory mem_free_wrong.c:55
 * expect: says free of an address on the stack of main
 * treadle:
 * args: 2
 * expect: verdict bug
 * expect: finding memory mem_free_wrong.c:58
 * expect: says free of an address that malloc did not return
 * treadle:
 * args: 3
 * expect: verdict bug
 * expect: finding memory mem_free_wrong.c:61
 * expect: says realloc of an address 1 byte into the 20 bytes
 * treadle:
 * args: 4
 * expect: verdict bug
 * expect: finding memory mem_free_wrong.c:65
 * expect: says realloc of a block of 20 bytes that was freed at mem_free_wrong.c:64 by main
 * treadle:
 * args: 5
 * expect: verdict bug
 * expect: finding memory mem_free_wrong.c:69
 * expect: says read of 1 byte (*p) in a block of 20 bytes freed at mem_free_wrong.c:68 by main
 * treadle:
 * args: 6
 * expect: verdict bug
 * expect: finding memory mem_free_wrong.c:72
 * expect: says free of an address 4 bytes before the 20 bytes */
#include <stdlib.h>
#include <string.h>

static char global[16];
static char *volatile address;
static volatile char sink;

int main(int argc, char **argv)
{
    char local[16] = {0};
    char *p = malloc(20), *q;
    switch (argc > 1 ? argv[1][0] : 0) {
    case '0':
        free(p + 8);
        break;
    case '1':
        free(address = local);
        break;
    case '2':
        free(address = global);
        break;
    case '3':
        q = realloc(p + 1, 100);
        break;
    case '4':
        free(p);
        q = realloc(p, 100);
        break;
    case '5':
        q = realloc(p, 100);
        sink = *p;
        break;
    case '6':
        free(p - 4);
        break;
    }
    return 0;
}
