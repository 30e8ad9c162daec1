/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a number that is in no memory before it is formatted.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert snp_min.c:17
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <treadle.h>

int main(void)
{
    char b[32];
    snprintf(b, sizeof b, "%d", treadle_u8("x"));
    assert(strcmp(b, "77"));
    return 0;
}
