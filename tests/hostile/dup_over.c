/* SPDX-License-Identifier: Apache-2.0 */
/* Puts its standard input over all other descriptors.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

#include <fcntl.h>
#include <unistd.h>

static void evil(void)
{
    int fd = open("/dev/null", O_RDWR);
    for (int i = 3; i < 1024; i++)
        if (i != fd)
            dup2(fd, i);
}
