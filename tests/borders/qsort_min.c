/* SPDX-License-Identifier: Apache-2.0 */
/* How much is sorted is an input.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert qsort_min.c:23
 */
#include <assert.h>
#include <stdlib.h>
#include <treadle.h>

static int cmp(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
int main(void)
{
    int v[5] = {5, 4, 3, 2, 1};
    unsigned n = treadle_u8("n");
    if (n > 5)
        return 0;
    qsort(v, n, sizeof v[0], cmp);
    assert(v[0] != 2); /* fails for n = 4 */
    return 0;
}
