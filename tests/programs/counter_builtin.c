/* SPDX-License-Identifier: Apache-2.0 */
/* The same with a builtin, and read as the plain variable it is.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 2
 * expect: events 6
 * treadle: --search=all
 * expect: verdict complete
 * expect: runs 5
 * expect: events 16
 * expect: traces 2
 * hand: 0 */
#include <assert.h>
#include <pthread.h>

static int n;

static void *worker(void *arg)
{
    __atomic_fetch_add(&n, 1, __ATOMIC_RELAXED);
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
