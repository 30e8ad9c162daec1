/* SPDX-License-Identifier: Apache-2.0 */
/* Asks for more than there is, and copes.
 *
 * treadle: --search=all -k --time=20s
 * verdict: complete incomplete
 * runs: 2
 * lost: no */
#include "hostile.h"

static void *volatile p;

static void evil(void)
{
    p = malloc((size_t)1 << 62);
    if (!p)
        p = malloc((size_t)-1);
    if (!p)
        p = calloc((size_t)1 << 33, (size_t)1 << 33);
    if (p)
        abort();
}
