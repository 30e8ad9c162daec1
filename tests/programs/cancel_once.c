/* SPDX-License-Identifier: Apache-2.0 */
/* Cancelled in the function that is to be called once: as if it had not been there.
 *
 * treadle: --search=all
 * expect: runs 7
 * expect: events 34
 * expect: traces 3
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 3
 * expect: events 25
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int n;

static void init(void)
{
    pthread_testcancel();
    atomic_fetch_add(&n, 1);
}

static void *worker(void *arg)
{
    pthread_once(&once, init);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_cancel(t);
    pthread_once(&once, init);
    pthread_join(t, NULL);
    assert(n == 1);
    return 0;
}
