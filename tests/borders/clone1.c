/* SPDX-License-Identifier: Apache-2.0 */
/* clone is refused by name.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not modelled clone1.c:24 clone
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <unistd.h>

static char stack[65536];

static int other(void *arg)
{
    (void)arg;
    usleep(1000);
    return 0;
}

int main(void)
{
    return clone(other, stack + sizeof stack, CLONE_VM | SIGCHLD, 0) < 0;
}
