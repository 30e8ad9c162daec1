/* SPDX-License-Identifier: Apache-2.0 */
/* A seed that is an input is decided.
 *
 * treadle:
 * expect: finding assert srands.c:17
 * expect: verdict bug */
#include <assert.h>
#include <stdlib.h>
#include <treadle.h>

int main(void)
{
    srand(treadle_u8("n") % 8);
    int a = rand();
    srand(5);
    int b = rand();
    assert(a != b);
    return 0;
}
