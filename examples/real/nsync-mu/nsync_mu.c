/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex of nsync: three threads take it once each, so that one of them may find two others. */
#include <assert.h>
#include <pthread.h>

#include "nsync.h"

enum { N_THREADS = 3 };

static nsync_mu mu;
static int count; /* protected by mu */

static void *worker(void *arg)
{
    nsync_mu_lock(&mu);
    count++;
    nsync_mu_unlock(&mu);
    return arg;
}

int main(void)
{
    pthread_t threads[N_THREADS];
    nsync_mu_init(&mu);
    for (int i = 0; i < N_THREADS; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(count == N_THREADS);
    return 0;
}
