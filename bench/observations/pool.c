/* SPDX-License-Identifier: Apache-2.0 */
/* A pool of WORKERS that take TASKS from a queue, then it is told to stop. -DEACH: tasks are done outside the lock, each
 * to its own memory. */
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef TASKS
#define TASKS 5
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static int n_put, n_taken, stopping;
#ifdef EACH
static int done[TASKS];
#else
static int n_done;
#endif

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (n_taken == n_put && !stopping)
            pthread_cond_wait(&work, &lock);
        if (n_taken == n_put)
            break;
#ifdef EACH
        int task = n_taken++;
        pthread_mutex_unlock(&lock);
        done[task]++;
        pthread_mutex_lock(&lock);
#else
        n_taken++;
        n_done++;
#endif
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < TASKS; i++) {
        pthread_mutex_lock(&lock);
        n_put++;
        pthread_cond_signal(&work);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    stopping = 1;
    pthread_cond_broadcast(&work);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], NULL);
#ifdef EACH
    for (int i = 0; i < TASKS; i++)
        assert(done[i] == 1);
#else
    assert(n_done == TASKS);
#endif
    return 0;
}
