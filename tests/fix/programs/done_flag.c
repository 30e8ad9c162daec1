/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * held out
 * idea: set the flag and signal under the lock */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int is_done;

static void *work(void *arg)
{
    atomic_store(&is_done, 1);
    pthread_cond_signal(&changed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    while (!atomic_load(&is_done))
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
