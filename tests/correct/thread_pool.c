/* SPDX-License-Identifier: Apache-2.0 */
/* A pool of two threads runs three jobs and is shut down.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

enum { WORKERS = 2, JOBS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_job = PTHREAD_COND_INITIALIZER;
static int n_queued, n_taken, must_end, result[JOBS];

static void *worker(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        while (n_taken == n_queued && !must_end)
            pthread_cond_wait(&has_job, &lock);
        int job = n_taken < n_queued ? n_taken++ : -1;
        pthread_mutex_unlock(&lock);
        if (job < 0)
            return arg;
        result[job] = job + 1;
    }
}

int main(void)
{
    pthread_t t[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    n_queued = JOBS;
    must_end = 1;
    pthread_cond_broadcast(&has_job);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < JOBS; i++)
        assert(result[i] == i + 1);
    return 0;
}
