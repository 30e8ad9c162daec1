/* SPDX-License-Identifier: Apache-2.0 */
/* Traces by their preemptions. Two threads add twice to a number, two others to another one: of the
 * six orders of each pair two need no preemption, two need one and two need two, and all that
 * matters of a trace is the order of each pair. So 4 traces need none, 8 need 1, 12 need 2, 8 need
 * 3 and 4 need 4.
 *
 * treadle: --goal=traces --preemptions=0
 * expect: verdict incomplete
 * expect: runs 4
 * expect: traces 4
 * expect: ledger preemptions
 * agree: --search=all --preemptions=0
 *
 * treadle: --goal=traces --preemptions=1
 * expect: verdict incomplete
 * expect: runs 12
 * expect: traces 12
 * expect: ledger preemptions
 * agree: --search=all --preemptions=1
 *
 * treadle: --goal=traces --preemptions=2
 * expect: verdict incomplete
 * expect: runs 24
 * expect: traces 24
 * expect: ledger preemptions
 *
 * treadle: --goal=traces --preemptions=4
 * expect: verdict complete
 * expect: runs 36
 * expect: traces 36
 *
 * treadle: --goal=traces --iterate
 * expect: verdict complete
 * expect: runs 36
 * expect: traces 36
 *
 * treadle: --goal=traces --iterate --runs=20
 * expect: verdict incomplete
 * expect: runs 20
 * expect: traces 20
 * expect: ledger runs
 *
 * treadle: --goal=traces --search=all --preemptions=1
 * expect: verdict incomplete
 * expect: traces 12
 * expect: ledger preemptions */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum[2];

static void *add(void *arg)
{
    for (int i = 0; i < 2; i++)
        atomic_fetch_add((atomic_int *)arg, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 4; i++)
        pthread_create(&t, NULL, add, &sum[i / 2]);
    pthread_exit(NULL);
}
