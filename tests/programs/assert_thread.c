/* SPDX-License-Identifier: Apache-2.0 */
/* An assertion that fails in one of two orders: two runs, one of them fails.
 *
 * treadle: --search=all -k
 * expect: runs 2
 * expect: traces 2
 * expect: verdict bug
 * expect: finding assert assert_thread.c:20
 * model: main: create A, store x 1, join A, exit
 * model: A: load x a, check a == 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
    int a = atomic_load(&x);
    assert(a == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&x, 1);
    pthread_join(t, NULL);
    return 0;
}
