/* SPDX-License-Identifier: Apache-2.0 */
/* A seed is an input.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger values
 */
#include <assert.h>
#include <stdlib.h>
#include <treadle.h>

int main(void)
{
    srand(treadle_u8("n"));
    int a = rand();
    srand(5);
    int b = rand();
    assert(a != b);
    return 0;
}
