/* SPDX-License-Identifier: Apache-2.0 */
/* Timed locks get it or give up.
 *
 * treadle: -k
 * expect: runs 12
 * expect: events 38
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 48
 * expect: events 92
 * expect: verdict complete */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
#include <time.h>

static const struct timespec until = {1, 0};

static void *look(void *arg)
{
    int error = pthread_rwlock_timedrdlock(&l, &until);
    assert(error == 0 || error == ETIMEDOUT);
    if (error == 0)
        pthread_rwlock_unlock(&l);
    return arg;
}

static void *change(void *arg)
{
    int error = pthread_rwlock_timedwrlock(&l, &until);
    assert(error == 0 || error == ETIMEDOUT);
    if (error == 0)
        pthread_rwlock_unlock(&l);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, look, NULL);
    pthread_create(&b, NULL, change, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
