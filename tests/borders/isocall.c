/* SPDX-License-Identifier: Apache-2.0 */
/* The library sorts by a comparison of the program.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger made concrete isocall.c:17 a result returned to uninstrumented code
 * expect: ledger not watched isocall.c:22 qsort_r
 */
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <treadle.h>

/* main's own main recursion and function through table of uninstrumented: qsort_r */
static int cmp(const void *a, const void *b, void *c)
{
    return *(char *)a - *(char *)b;
}
int main(void)
{
    char v[3] = {5, 3, (char)(treadle_u8("n") & 7)};
    qsort_r(v, 3, 1, cmp, 0);
    assert(v[1] != 4);
    return 0;
}
