/* SPDX-License-Identifier: Apache-2.0 */
/* A computed goto by an input.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding abort cgoto.c:23
 */
#include <stdlib.h>
#include <treadle.h>

int main(void)
{
    static void *t[] = {&&a, &&b, &&c};
    unsigned n = treadle_u8("n");
    if (n > 2)
        return 0;
    goto *t[n];
a:
    return 1;
b:
    return 2;
c:
    abort();
}
