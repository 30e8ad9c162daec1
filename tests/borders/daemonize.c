/* SPDX-License-Identifier: Apache-2.0 */
/* daemon is refused by name, and leaves no process behind.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not modelled daemonize.c:13 daemon
 */
#define _DEFAULT_SOURCE
#include <unistd.h>

int main(void)
{
    return daemon(0, 0);
}
