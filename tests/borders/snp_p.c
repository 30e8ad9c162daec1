/* SPDX-License-Identifier: Apache-2.0 */
/* The precision is an input.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert snp_p.c:17
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <treadle.h>

int main(void)
{
    char b[32];
    snprintf(b, 32, "%.*s", treadle_u8("w") % 4, "abc");
    assert(strcmp(b, "ab"));
    return 0;
}
