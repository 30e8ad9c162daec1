/* SPDX-License-Identifier: Apache-2.0 */
/* pi THREADS: each thread sums its share of Leibniz' series and adds it under a lock; main
 * joins and looks at the sum. The order of THREADS sections: THREADS! traces. */
#include <assert.h>
#include <math.h>

#include "common.h"

#ifndef TERMS
#define TERMS 1000
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n_threads;
static double sum;

static void *share(void *number)
{
    double part = 0;
    for (int k = (int)(intptr_t)number; k < TERMS; k += n_threads)
        part += (k % 2 ? -4.0 : 4.0) / (2 * k + 1);
    pthread_mutex_lock(&lock);
    sum += part;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MAX_THREADS];
    n_threads = size_arg(argc, argv, 1, 5, MAX_THREADS);
    start_all(t, n_threads, share);
    join_all(t, n_threads);
    assert(fabs(sum - 3.14159265) < 0.01);
    return 0;
}
