/* SPDX-License-Identifier: Apache-2.0 */
/* A divisor is 0 for one value of an input.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding crash div8.c:14
 */
#include <stdio.h>
#include <treadle.h>

int main(void)
{
    int a = treadle_u8("a");
    printf("%d\n", 1000 / (a - 77)); /* SIGFPE for a = 77 */
    return 0;
}
