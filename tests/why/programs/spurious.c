/* SPDX-License-Identifier: Apache-2.0 */
/* A wait without a loop. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    if (!is_ready)
        pthread_cond_wait(&c, &m);
    assert(is_ready);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&m);
    is_ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
