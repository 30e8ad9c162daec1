/* SPDX-License-Identifier: Apache-2.0 */
/* The size of the buffer is an input.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert snp_n.c:19
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <treadle.h>

int main(void)
{
    char b[32];
    unsigned n = treadle_u8("n") % 20;
    snprintf(b, n, "hello");
    if (n > 0)
        assert(strcmp(b, "hel"));
    return 0;
}
