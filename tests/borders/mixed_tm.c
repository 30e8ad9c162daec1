/* SPDX-License-Identifier: Apache-2.0 */
/* An object that gcc built creates and joins the thread.
 *
 * treadle: -k
 * gcc: mixed_tl.c
 * expect: verdict bug
 * expect: finding race mixed_tm.c:32 mixed_tm.c:39
 * expect: finding assert mixed_tm.c:41
 * expect: ledger not watched, alone
 * expect: ledger not watched mixed_tm.c:38 bg_start
 * expect: ledger not watched mixed_tm.c:40 bg_stop
 *
 * treadle: -k
 * library: mixed_tl.c
 * expect: verdict bug
 * expect: finding race mixed_tm.c:32 mixed_tm.c:39
 * expect: finding assert mixed_tm.c:41
 * expect: ledger not watched, alone
 * expect: ledger not watched mixed_tm.c:38 bg_start (mixed_tl.so)
 * expect: ledger not watched mixed_tm.c:40 bg_stop (mixed_tl.so)
 */
#include <assert.h>
#include <pthread.h>

void bg_start(void *(*f)(void *), void *a);
void bg_stop(void);

static int x;

static void *f(void *a)
{
    x++;
    return a;
}

int main(void)
{
    bg_start(f, 0);
    x++;
    bg_stop();
    assert(x == 2);
    return 0;
}
