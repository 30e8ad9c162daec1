/* SPDX-License-Identifier: Apache-2.0 */
/* A handler that is to run on a stack of its own runs on its thread's: a line says so.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not modelled handler_onstack.c:31 SA_ONSTACK: a handler on its own stack */
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>

static char stack[65536];
static int n;

static void handler(int signal)
{
    (void)signal;
    n++;
}

int main(void)
{
    const stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    stack_t old;
    sigaltstack(NULL, &old);
    assert(old.ss_flags == SS_DISABLE);
    sigaltstack(&own, NULL);
    sigaltstack(NULL, &old);
    assert(old.ss_sp == stack && old.ss_flags == 0);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    assert(n == 1);
    return 0;
}
