/* SPDX-License-Identifier: Apache-2.0 */
/* A handler of exit ends its thread by pthread_exit, and nobody is left to end the process.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

static void handler(void)
{
    pthread_exit(NULL);
}

static void evil(void)
{
    atexit(handler);
    exit(0);
}
