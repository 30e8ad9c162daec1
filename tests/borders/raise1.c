/* SPDX-License-Identifier: Apache-2.0 */
/* Which signal is raised is an input.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert raise1.c:14
 */
#include <assert.h>
#include <signal.h>
#include <treadle.h>

static void h(int s)
{
    assert(s != SIGUSR2);
}
int main(void)
{
    signal(SIGUSR1, h);
    signal(SIGUSR2, h);
    raise(treadle_u8("n") & 1 ? SIGUSR1 : SIGUSR2);
    return 0;
}
