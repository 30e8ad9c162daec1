/* SPDX-License-Identifier: Apache-2.0 */
/* Closes every descriptor at once, then opens others.
 *
 * treadle: --search=all -k --time=20s
 * verdict: complete incomplete
 * runs: 2 */
#include "hostile.h"

#include <fcntl.h>
#include <unistd.h>

static void evil(void)
{
    closefrom(0);
    for (int i = 0; i < 10; i++)
        open("/dev/null", O_RDWR);
}
