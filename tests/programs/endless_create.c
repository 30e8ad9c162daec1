/* SPDX-License-Identifier: Apache-2.0 */
/* Threads are created without end, as in many tasks of SV-COMP. With N operations main has created N
 * threads that do nothing: N events, whatever the order.
 *
 * treadle: --depth=64
 * agree: --search=all --depth=64
 * expect: events 64
 * expect: depth 64
 * expect: verdict incomplete
 * expect: ledger depth
 * expect: ledger depth */
#include <pthread.h>

static void *nothing(void *arg)
{
    return arg;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, NULL, nothing, NULL);
    }
}
