/* SPDX-License-Identifier: Apache-2.0 */
/* A number in a field, and a letter.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert snp_w2.c:17
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <treadle.h>

int main(void)
{
    char b[32];
    snprintf(b, 32, "%5d|%c", treadle_u8("w"), treadle_u8("c"));
    assert(strcmp(b, "   77|q"));
    return 0;
}
