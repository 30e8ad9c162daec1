/* SPDX-License-Identifier: Apache-2.0 */
/* An input chooses a function and an element; each of them is right.
 *
 * treadle:
 * expect: verdict complete */
#include <treadle.h>

#include "threads.h"

static int plus(int x)
{
    return x + 2;
}

static int twice(int x)
{
    return 2 * x;
}

static int (*const functions[2])(int) = {plus, twice};
static const int elements[2] = {2, 2};

static void *body(void *arg)
{
    unsigned i = (unsigned)treadle_bits(1, "i"), k = (unsigned)treadle_bits(1, "k");
    assert(functions[i](elements[k]) == 4);
    return arg;
}

int main(void)
{
    run_threads(1, body);
    return 0;
}
