/* SPDX-License-Identifier: Apache-2.0 */
/* Bit-fields of two memory locations are no race: a member of no width ends the first one.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static struct {
    unsigned a : 3;
    unsigned : 0;
    unsigned b : 5;
} bits;

static void *first(void *arg)
{
    bits.a = 5;
    return arg;
}

static void *second(void *arg)
{
    bits.b = 9;
    return arg;
}

int main(void)
{
    run_two(first, second);
    assert(bits.a == 5 && bits.b == 9);
    return 0;
}
