/* SPDX-License-Identifier: Apache-2.0 */
/* A thread cancels itself, and goes on to the next cancellation point.
 *
 * treadle: --search=all
 * expect: runs 3
 * expect: events 7
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 1
 * expect: events 4
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int n;

static void *worker(void *arg)
{
    pthread_cancel(pthread_self());
    n++;
    pthread_testcancel();
    n++;
    return arg;
}

int main(void)
{
    pthread_t t;
    void *value;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, &value);
    assert(value == PTHREAD_CANCELED && n == 1);
    return 0;
}
