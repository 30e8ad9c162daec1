/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * traces
 * idea: lock round the store and the signal */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_int is_ready;

static void *wait_for_it(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!atomic_load(&is_ready))
        pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait_for_it, NULL);
    atomic_store(&is_ready, 1);
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    pthread_cond_signal(&ready);
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(t, NULL);
    return 0;
}
