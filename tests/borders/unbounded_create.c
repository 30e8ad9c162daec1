/* SPDX-License-Identifier: Apache-2.0 */
/* Threads without end: the first run is cut, and its insertion must not take long. tests/limits has it with time
 * limits; docs/bounds.md says what more runs do.
 * treadle: --runs=1
 * expect: verdict incomplete
 * expect: ledger runs
 * expect: ledger depth */
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
