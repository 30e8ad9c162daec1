/* SPDX-License-Identifier: Apache-2.0 */
/* Closes its standard streams and gives their memory back.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

#include <stdio.h>
#include <unistd.h>

static void evil(void)
{
    fclose(stdin);
    fclose(stdout);
    fclose(stderr);
    clearenv();
    environ = NULL;
    printf("nobody reads this\n");
}
