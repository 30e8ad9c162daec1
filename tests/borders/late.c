/* SPDX-License-Identifier: Apache-2.0 */
/* A text that the library reads is symbolic behind its first bytes.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger made concrete late.c:17 sscanf
 */
#include <assert.h>
#include <stdio.h>
#include <treadle.h>

int main(void)
{
    char b[16] = "length: 10";
    b[8] = '0' + treadle_u8("k") % 10;
    int n = 0;
    sscanf(b, "length: %d", &n);
    assert(n != 70);
    return 0;
}
