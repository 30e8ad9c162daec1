/* SPDX-License-Identifier: Apache-2.0 */
/* main joins a thread while it holds the lock that the thread needs. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    pthread_join(t, NULL);
    pthread_mutex_unlock(&m);
    return 0;
}
