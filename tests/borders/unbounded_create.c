/* SPDX-License-Identifier: Apache-2.0 */
/* Threads without end: the one run has more than 16384 of them, and its insertion takes long. The
 * time limit is obeyed all the same.
 * treadle: --time=4s
 * expect: seconds 8
 * expect: verdict incomplete
 * expect: ledger time
 * expect: ledger not modelled
 * expect: ledger thread limit unbounded_create.c:21 more than 16384 threads */
#include <pthread.h>

static void *f(void *a)
{
    return a;
}

int main(void)
{
    pthread_t t;
    for (;;)
        pthread_create(&t, 0, f, 0);
}
