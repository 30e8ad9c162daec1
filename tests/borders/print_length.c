/* SPDX-License-Identifier: Apache-2.0 */
/* The length that %n stores depends on an input.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger made concrete print_length.c:16 printf
 */
#include <assert.h>
#include <stdio.h>
#include <treadle.h>

int main(void)
{
    int x = (int)treadle_bits(4, "x"), n = 0;
    assert(x < 16);
    printf("%d%n\n", x, &n);
    assert(n == 1 || x > 9);
    return 0;
}
