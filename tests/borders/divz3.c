/* SPDX-License-Identifier: Apache-2.0 */
/* A divisor is 0 for one value of 32 bits.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding crash divz3.c:14
 */
#include <assert.h>
#include <treadle.h>

int main(void)
{
    int a = treadle_int("a");
    int r = 1000 / (a - 77); /* crashes if a == 77 */
    assert(r < 2000);
    return 0;
}
