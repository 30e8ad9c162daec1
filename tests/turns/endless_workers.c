/* SPDX-License-Identifier: Apache-2.0 */
/* Two workers take jobs out of a queue of two places, into which main puts them without end. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER,
                      emptied = PTHREAD_COND_INITIALIZER;
static int n_jobs;

static void *work(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        while (n_jobs == 0)
            pthread_cond_wait(&filled, &lock);
        assert(n_jobs > 0 && n_jobs <= 2);
        n_jobs--;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t workers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    for (;;) {
        pthread_mutex_lock(&lock);
        while (n_jobs == 2)
            pthread_cond_wait(&emptied, &lock);
        n_jobs++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
}
