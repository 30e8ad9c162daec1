/* SPDX-License-Identifier: Apache-2.0 */
/* A divisor that is an input, never zero where it divides.
 *
 * treadle:
 * expect: verdict complete */
#include <treadle.h>

#include "threads.h"

static void *body(void *arg)
{
    int x = (int)treadle_bits(4, "x");
    if (x != 0)
        assert(60 / x * x + 60 % x == 60);
    return arg;
}

int main(void)
{
    run_threads(1, body);
    return 0;
}
