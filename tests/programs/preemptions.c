/* SPDX-License-Identifier: Apache-2.0 */
/* What a number of preemptions leads to. Two threads add to a number twice, each time in two
 * steps: that two of the four are lost takes one preemption. FIXED: in one step.
 *
 * treadle: --preemptions=0
 * expect: verdict incomplete
 * expect: runs 2
 * expect: events 20
 * expect: ledger preemptions
 * agree: --search=all --preemptions=0
 *
 * treadle: --preemptions=1 -k
 * expect: verdict bug
 * expect: runs 8
 * expect: events 58
 * expect: finding assert preemptions.c:75
 * expect: ledger preemptions
 * agree: --search=all --preemptions=1 -k
 *
 * treadle: --search=all --preemptions=1 -k
 * expect: verdict bug
 * expect: runs 16
 * expect: finding assert preemptions.c:75
 * expect: ledger preemptions
 *
 * treadle: --iterate -k
 * expect: verdict bug
 * expect: runs 34
 * expect: finding assert preemptions.c:75
 *
 * treadle: --goal=auto -k
 * expect: verdict bug
 * expect: runs 50
 * expect: events 162
 * expect: finding assert preemptions.c:75
 *
 * treadle: --preemptions=2
 * cflags: -DFIXED
 * expect: verdict complete
 * expect: runs 6
 * expect: events 26
 * agree: --search=all
 *
 * treadle: --iterate --runs=3
 * cflags: -DFIXED
 * expect: verdict incomplete
 * expect: runs 3
 * expect: ledger runs */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *add(void *arg)
{
    for (int i = 0; i < 2; i++) {
#ifdef FIXED
        atomic_fetch_add(&sum, 1);
#else
        int old = atomic_load(&sum);
        atomic_store(&sum, old + 1);
#endif
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(atomic_load(&sum) > 2);
    return 0;
}
