/* SPDX-License-Identifier: Apache-2.0 */
/* A number behind one of floating point.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert snp_f.c:17
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <treadle.h>

int main(void)
{
    char b[32];
    snprintf(b, 32, "%.1f %d", 1.5, treadle_u8("w"));
    assert(strcmp(b, "1.5 77"));
    return 0;
}
