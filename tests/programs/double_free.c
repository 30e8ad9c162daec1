/* SPDX-License-Identifier: Apache-2.0 */
/* A block freed twice.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding memory double_free.c:15 */
#include <stdlib.h>

static void *volatile p;

int main(void)
{
    p = malloc(10);
    free(p);
    free(p);
    return 0;
}
