/* SPDX-License-Identifier: Apache-2.0 */
/* The remainder by 0 for one value of an input.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding crash modz.c:14
 */
#include <treadle.h>

static int tab[8];
int main(void)
{
    unsigned n = treadle_uint("n"), h = treadle_uint("h");
    tab[h % n & 7] = 1;
    return 0;
}
