/* SPDX-License-Identifier: Apache-2.0 */
/* atomic_flag: exactly one of two threads gets it.
 *
 * treadle: --search=all
 * expect: runs 11
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 * model: main: create A, create B, join A, join B, load n, exit
 * model: A: rmw f 1 a, skip 1 unless a == 0, rmw n n+1
 * model: B: rmw f 1 b, skip 1 unless b == 0, rmw n n+1 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag f = ATOMIC_FLAG_INIT;
static atomic_int n;

static void *worker(void *arg)
{
    if (!atomic_flag_test_and_set(&f))
        atomic_fetch_add(&n, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int got = atomic_load(&n);
    assert(got == 1);
    return 0;
}
