/* SPDX-License-Identifier: Apache-2.0 */
/* A constructor makes an input.
 *
 * treadle:
 * cflags: -g -O1
 * hand: 0
 * expect: verdict bug
 * expect: finding abort ctor.c:21 */
#include <stdlib.h>
#include <treadle.h>

static int n;
__attribute__((constructor)) static void init(void)
{
    n = treadle_u8("n");
}

int main(void)
{
    if (n == 77)
        abort();
    return 0;
}
