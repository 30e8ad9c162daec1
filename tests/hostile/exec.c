/* SPDX-License-Identifier: Apache-2.0 */
/* Another program in its place.
 *
 * treadle: --search=all -k --time=20s
 * verdict: incomplete
 * runs: 2
 * lost: no */
#include "hostile.h"

#include <unistd.h>

static void evil(void)
{
    char *words[] = {"sleep", "1000", NULL};
    execvp(words[0], words);
}
