/* SPDX-License-Identifier: Apache-2.0 */
/* A relaxed counter, looked at when all have ended.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 2
 * expect: events 8
 * treadle: --search=all
 * expect: verdict complete
 * expect: runs 5
 * expect: events 18
 * expect: traces 2
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *worker(void *arg)
{
    atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(n == 2);
    return 0;
}
