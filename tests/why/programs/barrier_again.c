/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier by hand that cannot be used again: its count is both who has come and who may leave. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting;

static void arrive(void)
{
    pthread_mutex_lock(&m);
    if (++waiting == 2) {
        pthread_cond_broadcast(&c);
        waiting = 0;
    } else
        while (waiting != 0)
            pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
}

static void *twice(void *x)
{
    arrive();
    arrive();
    return x;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, twice, 0);
    twice(0);
    pthread_join(t, 0);
}
