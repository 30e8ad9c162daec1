/* SPDX-License-Identifier: Apache-2.0 */
/* A thread whose start routine is no function.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete
 * runs: 2
 * lost: no */
#include "hostile.h"

static void evil(void)
{
    pthread_t t;
    pthread_create(&t, NULL, (void *(*)(void *))0x10, NULL);
    pthread_join(t, NULL);
}
