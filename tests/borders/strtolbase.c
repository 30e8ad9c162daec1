/* SPDX-License-Identifier: Apache-2.0 */
/* The base of a number is an input.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert strtolbase.c:17
 */
#include <assert.h>
#include <stdlib.h>
#include <treadle.h>

int main(void)
{
    int b = treadle_u8("b");
    if (b < 2 || b > 36)
        return 0;
    assert(strtol("21", 0, b) != 45);
    return 0;
}
