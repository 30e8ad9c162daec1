/* SPDX-License-Identifier: Apache-2.0 */
/* fix: none
 * drops: the place of the failure is not reached
 * idea: serve the job before the gate closes. With the worker's turn before the close the assertion is never reached */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int is_closed;
static int n_jobs = 1;

static void *serve(void *arg)
{
    if (atomic_load(&is_closed))
        assert(n_jobs == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, serve, NULL);
    atomic_store(&is_closed, 1);
    pthread_join(t, NULL);
    return 0;
}
