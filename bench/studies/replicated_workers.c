/* SPDX-License-Identifier: Apache-2.0 */
/* replicated_workers [workers]: workers take jobs from a pool; a job may make new ones. The
 * end is when the pool is empty and nobody is busy. A worker that has found nothing for a
 * few times gives up.
 *
 * Seeded bug: a worker that is done with a job says so before its new jobs are in the pool.
 * Another one sees an empty pool and nobody busy, and declares the end. FIXED: one step. */
#include <assert.h>

#include "../programs/common.h"

enum { MAX_WORKERS = 4, TRIES = 2, POOL = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pool[POOL], n_jobs, n_busy, is_over;

/* A job of size n makes one of size n - 1. */
static void add(int job)
{
    assert(!is_over);
    if (job > 0)
        pool[n_jobs++] = job;
}

/* Size of a job, 0 if there is none now, -1 at the end. */
static int take(void)
{
    int job = 0;
    pthread_mutex_lock(&lock);
    if (n_jobs > 0) {
        job = pool[--n_jobs];
        n_busy++;
    } else if (n_busy == 0) {
        is_over = 1;
        job = -1;
    }
    pthread_mutex_unlock(&lock);
    return job;
}

static void finish(int job)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    add(job - 1);
    n_busy--;
#else
    n_busy--;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    add(job - 1);
#endif
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
    for (int try = 0; try < TRIES;) {
        int job = take();
        if (job < 0)
            break;
        if (job > 0)
            finish(job);
        else
            try++;
    }
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t[MAX_WORKERS];
    pool[n_jobs++] = 2;
    start_all(t, size_arg(argc, argv, 1, 4, MAX_WORKERS), worker);
    return leave();
}
