/* SPDX-License-Identifier: Apache-2.0 */
/* A handler tries to take a lock for some time.
 *
 * treadle: --spurious=0 -k
 * expect: verdict complete
 *
 * treadle: --search=all
 * expect: verdict complete */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec until = {1000, 0};

static void handler(void)
{
    if (pthread_mutex_timedlock(&m, &until) == 0)
        pthread_mutex_unlock(&m);
}

static void *body(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    atexit(handler);
    pthread_create(&t, NULL, body, NULL);
    return 0;
}
