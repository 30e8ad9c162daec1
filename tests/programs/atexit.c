/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers run under control, last registered first, and operations in them count.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding assert atexit.c:14 */
#include <assert.h>
#include <stdlib.h>

static int order;

static void first(void)
{
    assert(order != 1);
}

static void second(void)
{
    order = 1;
}

int main(void)
{
    atexit(first);
    atexit(second);
    return 0;
}
