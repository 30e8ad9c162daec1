/* SPDX-License-Identifier: Apache-2.0 */
/* A function that is chosen when the program is loaded takes an input.
 * treadle:
 * expect: verdict bug
 * expect: finding abort ifuncfn.c:12 */
#include <stdlib.h>
#include <treadle.h>

static int impl(int n)
{
    if (n == 77)
        abort();
    return 0;
}

static void *resolve(void)
{
    return impl;
}

int chosen(int) __attribute__((ifunc("resolve")));

int main(void)
{
    return chosen(treadle_u8("n"));
}
