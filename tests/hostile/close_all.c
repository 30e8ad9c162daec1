/* SPDX-License-Identifier: Apache-2.0 */
/* Closes every descriptor.
 *
 * treadle: --search=all -k --time=20s
 * verdict: complete incomplete
 * runs: 2 */
#include "hostile.h"

#include <unistd.h>

static void evil(void)
{
    for (int fd = 0; fd < 4096; fd++)
        close(fd);
}
