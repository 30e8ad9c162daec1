/* SPDX-License-Identifier: Apache-2.0 */
/* A counter that reads and writes in two steps: two threads can be given the same number.
 *
 * treadle: -k
 * expect: finding linear linear_counter.c:41
 * expect: runs 10
 * expect: events 43
 * expect: verdict bug
 * treadle: -k --search=all
 * expect: traces 10
 * expect: finding linear linear_counter.c:41
 * expect: verdict bug
 * treadle: -k
 * cflags: -DFIXED
 * expect: runs 6
 * expect: events 25
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>
#include <treadle.h>

static atomic_int n;

static int step(void *state, const struct treadle_call *call, uint64_t *result)
{
    (void)call;
    *result = (uint64_t)(*(int *)state)++;
    return 1;
}

static void *worker(void *arg)
{
    treadle_op_begin(&n, "next");
#ifdef FIXED
    int old = atomic_fetch_add(&n, 1);
#else
    int old = atomic_load(&n);
    atomic_store(&n, old + 1);
#endif
    treadle_op_end(&n, old);
    return arg;
}

int main(void)
{
    static const struct treadle_spec counter = {sizeof(int), NULL, step};
    pthread_t a, b;
    treadle_specify(&n, &counter);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
