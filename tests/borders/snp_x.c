/* SPDX-License-Identifier: Apache-2.0 */
/* A number in hexadecimal.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert snp_x.c:17
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <treadle.h>

int main(void)
{
    char b[32];
    snprintf(b, 32, "%x", treadle_u8("x"));
    assert(strcmp(b, "ff"));
    return 0;
}
