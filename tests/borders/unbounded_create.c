/* SPDX-License-Identifier: Apache-2.0 */
/* Threads without end: the one run has more than 16384 of them, and its insertion takes long.
 * tests/limits has it with time limits.
 * treadle: --runs=1
 * expect: verdict incomplete
 * expect: ledger runs
 * expect: ledger not modelled
 * expect: ledger thread limit unbounded_create.c:20 more than 16384 threads */
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
