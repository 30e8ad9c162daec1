/* SPDX-License-Identifier: Apache-2.0 */
/* A pool of workers that is told to stop without its lock: a worker between its look and its wait
 * misses the signal. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static atomic_int stopping;
static int jobs, done;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (jobs == 0 && !atomic_load(&stopping))
            pthread_cond_wait(&work, &lock);
        if (jobs == 0)
            break;
        jobs--;
        done++;
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

static void submit(void)
{
    pthread_mutex_lock(&lock);
    jobs++;
    pthread_cond_signal(&work);
    pthread_mutex_unlock(&lock);
}

static void stop(void)
{
    atomic_store(&stopping, 1);
    pthread_cond_broadcast(&work);
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    submit();
    stop();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
