/* SPDX-License-Identifier: Apache-2.0 */
/* Opens files until there are no more descriptors.
 *
 * treadle: --search=all -k --time=20s
 * verdict: complete incomplete
 * runs: 2 */
#include "hostile.h"

#include <fcntl.h>
#include <unistd.h>

static void evil(void)
{
    while (open("/dev/null", O_RDONLY) >= 0)
        continue;
}
