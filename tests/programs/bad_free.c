/* SPDX-License-Identifier: Apache-2.0 */
/* Something freed that is no block.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding memory bad_free.c:14 */
#include <stdlib.h>

static char *volatile p;

int main(void)
{
    p = malloc(10);
    free(p + 1);
    return 0;
}
