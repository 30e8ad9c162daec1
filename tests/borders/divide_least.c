/* SPDX-License-Identifier: Apache-2.0 */
/* The least number divided by -1 crashes, as a divisor of 0 does.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding crash divide_least.c:19
 */
#include <limits.h>
#include <treadle.h>

static volatile int result;

int main(void)
{
    int a = treadle_int("a");
    signed char b = treadle_i8("b");
    if (b == 0)
        return 0;
    result = a / b;
    return 0;
}
