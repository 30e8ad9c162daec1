/* SPDX-License-Identifier: Apache-2.0 */
/* A counter by compare-and-exchange: a thread tries again at most once.
 *
 * treadle: --search=all
 * expect: runs 19
 * expect: events 29
 * expect: traces 4
 * expect: verdict complete
 *
 * treadle: --search=all --every-round
 * expect: runs 22
 * expect: events 40
 * expect: traces 4
 * expect: verdict complete
 * hand: 0
 * model: main: create A, create B, join A, join B, load x, exit
 * model: A: load x a, cas x a a+1 s, do a = x, skip 1 unless s == 0, cas x a a+1
 * model: B: load x b, cas x b b+1 t, do b = x, skip 1 unless t == 0, cas x b b+1 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
    int old = atomic_load(&x);
    while (!atomic_compare_exchange_weak(&x, &old, old + 1))
        continue;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int sum = atomic_load(&x);
    assert(sum == 2);
    return 0;
}
