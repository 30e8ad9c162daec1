/* SPDX-License-Identifier: Apache-2.0 */
/* malloc returns NULL because of treadle's own limit: the crash says it, and the line has its place.
 *
 * treadle:
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding crash malloc_limit.c:20
 * expect: says returned NULL at the limit of --memory
 * expect: ledger memory limit malloc_limit.c:19 malloc returned NULL
 * treadle: --memory=3072
 * cflags: -g -O0
 * expect: verdict complete */
#include <stdlib.h>

#define GIB (1ul << 30)

int main(void)
{
    char *p = malloc(2 * GIB);
    p[5] = 1;
    free(p);
    return 0;
}
