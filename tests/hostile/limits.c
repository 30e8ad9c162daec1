/* SPDX-License-Identifier: Apache-2.0 */
/* Takes every resource from itself.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

#include <sys/resource.h>

static void evil(void)
{
    struct rlimit none = {0, 0};
    for (int i = 0; i < RLIM_NLIMITS; i++)
        setrlimit(i, &none);
    void *volatile p = malloc(1 << 24);
    free(p);
}
