/* SPDX-License-Identifier: Apache-2.0 */
/* Asynchronous cancellation acts at cancellation points only: a line of the ledger.
 *
 * treadle: --search=all
 * expect: runs 5
 * expect: events 14
 * expect: traces 2
 * expect: verdict incomplete
 * expect: ledger not modelled cancel_async.c:26 asynchronous cancellation
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 8
 * expect: verdict incomplete
 * expect: ledger not modelled cancel_async.c:26 asynchronous cancellation
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int n;

static void *worker(void *arg)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    atomic_fetch_add(&n, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    return 0;
}
