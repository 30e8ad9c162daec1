/* SPDX-License-Identifier: Apache-2.0 */
/* pthread_mutex_timedlock gets it or gives up.
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
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec until = {1, 0};

static void *take(void *arg)
{
    int error = pthread_mutex_timedlock(&m, &until);
    assert(error == 0 || error == ETIMEDOUT);
    if (error == 0)
        pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
