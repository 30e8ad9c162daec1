/* SPDX-License-Identifier: Apache-2.0 */
/* An error-checking mutex says so instead of waiting for ever.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: verdict complete
 * hand: 0 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *stranger(void *arg)
{
    int rc = pthread_mutex_unlock(&m);
    assert(rc == EPERM);
    rc = pthread_mutex_trylock(&m);
    assert(rc == EBUSY);
    return arg;
}

int main(void)
{
    pthread_t t;
    int rc = pthread_mutex_lock(&m);
    assert(rc == 0);
    rc = pthread_mutex_lock(&m);
    assert(rc == EDEADLK);
    pthread_create(&t, NULL, stranger, NULL);
    pthread_join(t, NULL);
    rc = pthread_mutex_unlock(&m);
    assert(rc == 0);
    rc = pthread_mutex_unlock(&m);
    assert(rc == EPERM);
    return 0;
}
