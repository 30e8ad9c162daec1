/* SPDX-License-Identifier: Apache-2.0 */
/* The process number that a program is told is its own: signals go to nobody else.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

int main(void)
{
    int rc = kill(getpid(), 0);
    assert(rc == 0);
    return 0;
}
