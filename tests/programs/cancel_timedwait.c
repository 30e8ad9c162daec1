/* SPDX-License-Identifier: Apache-2.0 */
/* A wait with a timeout: it ends by a signal, by the timeout or by cancellation.
 *
 * treadle: --search=all --spurious=0
 * expect: runs 37
 * expect: events 36
 * expect: traces 5
 * expect: verdict complete
 * hand: 0
 *
 * treadle: --spurious=0
 * expect: runs 5
 * expect: events 27
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void give(void *p)
{
    pthread_mutex_unlock(p);
}

static void *waiter(void *arg)
{
    struct timespec until = {2000000000, 0};
    int rc;
    pthread_mutex_lock(&m);
    pthread_cleanup_push(give, &m);
    rc = pthread_cond_timedwait(&c, &m, &until);
    assert(rc == ETIMEDOUT);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *value;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_cancel(t);
    pthread_join(t, &value);
    assert(value == NULL || value == PTHREAD_CANCELED);
    return 0;
}
