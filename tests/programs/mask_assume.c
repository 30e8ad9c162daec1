/* SPDX-License-Identifier: Apache-2.0 */
/* What others do while a thread stands at an assumption that does not hold is part of runs in which
 * it has not come there yet.
 *
 * treadle: -k
 * agree: -k --search=all
 * expect: runs 2
 * expect: events 6
 * expect: verdict bug
 * expect: finding assert mask_assume.c:28 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <treadle.h>

static atomic_int x;

static void *assumes(void *arg)
{
    atomic_store(&x, 1);
    treadle_assume(arg != NULL);
    return arg;
}

static void *looks(void *arg)
{
    int seen = atomic_load(&x);
    assert(seen == 0);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, assumes, NULL);
    pthread_create(&t[1], NULL, looks, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
