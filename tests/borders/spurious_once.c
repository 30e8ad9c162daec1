/* SPDX-License-Identifier: Apache-2.0 */
/* A wait that stands in no loop ends for no reason, in one of the runs.
 *
 * treadle: -k
 * expect: finding assert spurious_once.c:33
 * expect: verdict bug
 *
 * treadle: -k --spurious=0
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wake(void *arg)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wake, NULL);
    pthread_mutex_lock(&m);
    if (!ready)
        pthread_cond_wait(&c, &m);
    assert(ready);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
