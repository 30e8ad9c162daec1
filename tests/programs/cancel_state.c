/* SPDX-License-Identifier: Apache-2.0 */
/* States and types of cancellation; while it is off nothing is a cancellation point.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: events 6
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 1
 * expect: events 3
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static void *worker(void *arg)
{
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    assert(old == PTHREAD_CANCEL_ENABLE);
    pthread_testcancel();
    int rc = pthread_setcancelstate(17, &old);
    assert(rc == EINVAL);
    rc = pthread_setcanceltype(17, &old);
    assert(rc == EINVAL);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
    assert(old == PTHREAD_CANCEL_DEFERRED);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    assert(old == PTHREAD_CANCEL_DISABLE);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *value;
    pthread_create(&t, NULL, worker, &t);
    pthread_cancel(t);
    pthread_join(t, &value);
    assert(value == &t);
    return 0;
}
