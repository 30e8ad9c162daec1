/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of 1, 8 and 9 bits: of the last one only the fixed value is run, and it is said.
 *
 * treadle: --search=all
 * expect: runs 512
 * expect: verdict incomplete
 * expect: ledger inputs */
#include <treadle.h>

int main(void)
{
    uint64_t sum = treadle_bool("b") + treadle_u8("x");
    return sum + treadle_bits(9, "y") == 0;
}
