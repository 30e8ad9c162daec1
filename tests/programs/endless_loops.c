/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads add to one counter without end. After the create each of the N - 1 operations is that of one of
 * two threads, and each sees all before it: 1 + 2 + 4 + ... + 2^(N - 1) = 2^N - 1 events.
 *
 * treadle: --depth=10
 * agree: --search=all --depth=10
 * expect: events 1023
 * expect: depth 10
 * expect: verdict incomplete
 * expect: ledger depth
 * expect: ledger depth
 *
 * treadle: --goal=traces --depth=8
 * agree: --search=all --depth=8
 * expect: events 255
 * expect: depth 8
 * expect: verdict incomplete
 * expect: ledger depth
 * expect: ledger depth */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *add(void *arg)
{
    for (;;)
        atomic_fetch_add(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    for (;;)
        atomic_fetch_add(&x, 2);
}
