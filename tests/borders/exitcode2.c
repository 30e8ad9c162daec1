/* SPDX-License-Identifier: Apache-2.0 */
/* The status of the program is an input.
 *
 * treadle: --exit-code
 * expect: verdict bug
 * expect: finding exit
 */
#include <treadle.h>

int main(void)
{
    int n = treadle_u8("n");
    return (n ^ 77) == 0;
}
