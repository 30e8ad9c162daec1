/* SPDX-License-Identifier: Apache-2.0
 * zstd's pool of threads: jobs that must all be done, a queue without room. */
#include <assert.h>

#include "pool.h"

#ifndef JOBS
#define THREADS 1
#define JOBS 3
#endif
enum { QUEUE = 0 };

static int done[JOBS];

static void job(void *arg)
{
    (*(int *)arg)++;
}

int main(void)
{
    POOL_ctx *pool = POOL_create(THREADS, QUEUE);
    for (int i = 0; i < JOBS; i++)
        POOL_add(pool, job, &done[i]);
    POOL_joinJobs(pool);
    for (int i = 0; i < JOBS; i++)
        assert(done[i] == 1);
    POOL_free(pool);
    return 0;
}
