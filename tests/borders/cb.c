/* SPDX-License-Identifier: Apache-2.0 */
/* The library calls a comparison of the program with an input.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger made concrete cb.c:14 a result returned to uninstrumented code
 */
#include <assert.h>
#include <search.h>
#include <treadle.h>

static int cmp(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
int main(void)
{
    static int v[3] = {10, 20, 30};
    size_t n = 3;
    int key = treadle_u8("k");
    assert(!lfind(&key, v, &n, sizeof(int), cmp));
    return 0;
}
