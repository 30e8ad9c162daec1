/* SPDX-License-Identifier: Apache-2.0 */
/* A variadic function branches on an input.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding abort va_own.c:16
 */
#include <stdlib.h>
#include <treadle.h>

/* a variadic function: nothing symbolic among its variable arguments, its own branches on an input */
static int n;
static int f(int k, ...)
{
    if (n == 77)
        abort();
    return k;
}
int main(void)
{
    n = treadle_u8("n");
    return f(1, 2) - 1;
}
