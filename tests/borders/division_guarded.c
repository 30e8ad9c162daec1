/* SPDX-License-Identifier: Apache-2.0 */
/* A divisor that is tested first: no value crashes.
 *
 * treadle:
 * expect: verdict complete
 */
#include <assert.h>
#include <treadle.h>

int main(void)
{
    int y = treadle_i8("y");
    if (y == 0)
        return 0;
    assert(100 / y <= 100);
    return 0;
}
