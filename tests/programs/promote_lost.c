/* SPDX-License-Identifier: Apache-2.0 */
/* An update is lost in some orders of the accesses that race, which only -k tries. Each of the
 * two increments is a load and a store, as in two.c: 6 ways to order them.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race promote_lost.c:23
 * treadle: -k
 * expect: verdict bug
 * expect: finding race promote_lost.c:23
 * expect: finding assert promote_lost.c:35
 * treadle: -k --search=all
 * expect: verdict bug
 * expect: finding race promote_lost.c:23
 * expect: finding assert promote_lost.c:35 */
#include <assert.h>
#include <pthread.h>

static int n;

static void *worker(void *arg)
{
    n++;
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
