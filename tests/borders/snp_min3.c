/* SPDX-License-Identifier: Apache-2.0 */
/* The first digit of a number.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert snp_min3.c:17
 */
#include <assert.h>
#include <stdio.h>
#include <treadle.h>

int main(void)
{
    char b[32];
    int n = treadle_int("x");
    sprintf(b, "%d", n);
    assert(b[0] != '7');
    return 0;
}
