/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * traces
 * idea: lock round the update in reset */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int requests;

static void *serve(void *arg)
{
    pthread_mutex_lock(&lock);
    requests++;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *reset(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    requests = 0;
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, serve, NULL);
    pthread_create(&b, NULL, reset, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
