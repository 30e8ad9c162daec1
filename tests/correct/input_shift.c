/* SPDX-License-Identifier: Apache-2.0 */
/* A shift by an input, within the width.
 *
 * treadle:
 * expect: verdict complete */
#include <treadle.h>

#include "threads.h"

static void *body(void *arg)
{
    unsigned n = (unsigned)treadle_bits(3, "n");
    assert((1u << n) >> n == 1);
    return arg;
}

int main(void)
{
    run_threads(1, body);
    return 0;
}
