/* SPDX-License-Identifier: Apache-2.0 */
/* Starts itself anew with another library before all others.
 *
 * treadle: --search=all -k --time=20s
 * verdict: incomplete bug
 * runs: 2 */
#include "hostile.h"

#include <unistd.h>

static void evil(void)
{
    char *words[] = {"self", NULL}, *names[] = {"LD_PRELOAD=libm.so.6", NULL};
    execve("/proc/self/exe", words, names);
}
