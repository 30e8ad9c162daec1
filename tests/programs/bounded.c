/* SPDX-License-Identifier: Apache-2.0 */
/* A search that was cut short says so.
 *
 * treadle: --search=all --runs=10
 * expect: runs 10
 * expect: verdict incomplete
 * expect: ledger runs
 *
 * treadle: --search=all --depth=5
 * expect: verdict incomplete
 * expect: ledger depth
 *
 * treadle: --search=all --preemptions=0
 * expect: runs 2
 * expect: verdict incomplete
 * expect: ledger preemptions
 *
 * treadle: --search=all --preemptions=1
 * expect: runs 8
 * expect: verdict incomplete
 * expect: ledger preemptions
 *
 * treadle: --search=all
 * expect: runs 70
 * expect: verdict complete
 * model: main: begin, create A, create B, end
 * model: A: 4* store x
 * model: B: 4* store y */
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int cell[2];

static void *worker(void *arg)
{
    for (int i = 0; i < 4; i++)
        atomic_store((atomic_int *)arg, i);
    return NULL;
}

int main(void)
{
    pthread_t t;
    __VERIFIER_atomic_begin();
    pthread_create(&t, NULL, worker, &cell[0]);
    pthread_create(&t, NULL, worker, &cell[1]);
    __VERIFIER_atomic_end();
    pthread_exit(NULL);
}
