/* SPDX-License-Identifier: Apache-2.0 */
/* Peterson's lock with one try: never are both inside.
 *
 * treadle: --search=all
 * expect: runs 2479
 * expect: traces 14
 * expect: verdict complete
 * hand: 0
 * model: main: create A, create B, join A, join B, exit
 * model: A: store wa 1, store turn 2, load wb b, skip 2 unless b, load turn t, skip 2 unless t == 1, rmw i i+1, rmw i i-1, store wa 0
 * model: B: store wb 1, store turn 1, load wa a, skip 2 unless a, load turn u, skip 2 unless u == 2, rmw i i+1, rmw i i-1, store wb 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn, inside;

static void *worker(void *arg)
{
    int me = (int)(intptr_t)arg, other = 1 - me;
    atomic_store(&wants[me], 1);
    atomic_store(&turn, other);
    if (!atomic_load(&wants[other]) || atomic_load(&turn) == me) {
        int others = atomic_fetch_add(&inside, 1);
        assert(others == 0);
        atomic_fetch_sub(&inside, 1);
    }
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)0);
    pthread_create(&b, NULL, worker, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
