/* SPDX-License-Identifier: Apache-2.0 */
/* Another program in its place, by a system call of its own.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete
 * runs: 2 */
#include "hostile.h"

#include <sys/syscall.h>
#include <unistd.h>

static void evil(void)
{
    char *words[] = {"/bin/sleep", "1000", NULL};
    syscall(SYS_execve, words[0], words, NULL);
}
