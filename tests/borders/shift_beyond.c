/* SPDX-License-Identifier: Apache-2.0 */
/* Amounts of a shift beyond the width are those of the processor: modulo the width.
 *
 * treadle:
 * expect: verdict complete
 */
#include <assert.h>
#include <treadle.h>

int main(void)
{
    unsigned by = treadle_u8("by");
    unsigned bit = 1u << by;
    assert(bit != 0 && (bit & (bit - 1)) == 0);
    return 0;
}
