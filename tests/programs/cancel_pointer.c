/* SPDX-License-Identifier: Apache-2.0 */
/* pthread_cancel is called through a pointer: its cancellation points count all the
 * same.
 *
 * treadle: --search=all
 * expect: runs 3
 * expect: events 13
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 7
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int (*volatile cancel)(pthread_t) = pthread_cancel;

static void *worker(void *arg)
{
    pthread_testcancel();
    return arg;
}

int main(void)
{
    pthread_t t;
    void *value;
    pthread_create(&t, NULL, worker, NULL);
    cancel(t);
    pthread_join(t, &value);
    assert(value == NULL || value == PTHREAD_CANCELED);
    return 0;
}
