/* SPDX-License-Identifier: Apache-2.0 */
/* A library of gcc's with a thread, a lock and a condition variable calls back: its thread is
 * controlled, the job that it calls is watched, and its lock orders what the job does.
 *
 * treadle: --trust-libraries
 * library: pool_lib.c
 * expect: verdict complete
 * expect: ledger not watched, alone
 * expect: ledger trusted pool_ok.c:32 pool_start (pool_lib.so)
 * expect: ledger trusted pool_ok.c:34 pool_put (pool_lib.so)
 * expect: ledger trusted pool_ok.c:35 pool_stop (pool_lib.so)
 */
#include <assert.h>

void pool_start(void);
void pool_put(void (*job)(void *), void *with);
void pool_stop(void);

static int sum;

static void add(void *p)
{
    sum += *(int *)p;
}

int main(void)
{
    int one = 1;

    /* before the job, which the lock of the library orders behind it */
    sum = 1;
    pool_start();
    sum++;
    pool_put(add, &one);
    pool_stop();
    assert(sum == 3);
    return 0;
}
