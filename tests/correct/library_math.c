/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the mathematics library with a second result, each thread's own.
 *
 * treadle:
 * cflags: -lm
 * expect: verdict complete */
#include <math.h>

#include "threads.h"

static void *body(void *arg)
{
    int exponent;
    double whole;
    assert(frexp(8.0, &exponent) == 0.5 && exponent == 4);
    assert(modf(2.5, &whole) == 0.5 && whole == 2.0);
    return arg;
}

int main(void)
{
    run_threads(2, body);
    return 0;
}
