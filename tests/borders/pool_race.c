/* SPDX-License-Identifier: Apache-2.0 */
/* The job that a thread of a library does races with main.
 *
 * treadle: --trust-libraries
 * library: pool_lib.c
 * expect: verdict bug
 * expect: finding race pool_race.c:32 pool_race.c:40
 * expect: ledger not watched, alone
 * expect: ledger trusted pool_race.c:37 pool_start (pool_lib.so)
 * expect: ledger trusted pool_race.c:38 pool_put (pool_lib.so)
 * expect: ledger trusted pool_race.c:41 pool_stop (pool_lib.so)
 *
 * treadle: --trust=pool_start,pool_put,pool_stop
 * gcc: pool_lib.c
 * expect: verdict bug
 * expect: finding race pool_race.c:32 pool_race.c:40
 * expect: ledger not watched, alone
 * expect: ledger trusted pool_race.c:37 pool_start
 * expect: ledger trusted pool_race.c:38 pool_put
 * expect: ledger trusted pool_race.c:41 pool_stop
 */

void pool_start(void);
void pool_put(void (*job)(void *), void *with);
void pool_stop(void);

static int sum;

static void add(void *p)
{
    (void)p;
    sum++;
}

int main(void)
{
    pool_start();
    pool_put(add, 0);

    sum++;
    pool_stop();
    return sum == 0;
}
