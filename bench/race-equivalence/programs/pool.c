/* SPDX-License-Identifier: Apache-2.0 */
/* pool: objects are borrowed from a pool while another thread gives it a new factory.
 *
 * After the paper's experiment 1 (Apache Commons Pool, Figures 14 and 15): 3 threads beside main, one
 * branch that depends on the interleaving, 2 test cases (TPAIR 23, reachability testing 147). Thread
 * 1 makes an object and reads the factory without the lock. Thread 2 writes it under the lock, but
 * only if no object is active; thread 3 makes one active. If it comes first, a run has no race.
 * FIXED: thread 1 takes the lock. */
#include <pthread.h>

#include "../../programs/common.h"

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static int factory = 1;
static int n_idle = 1, n_active, n_made, n_errors, has_new;

static void *make(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&pool_lock);
#endif
    int made_by = factory;
#ifndef FIXED
    pthread_mutex_lock(&pool_lock);
#endif
    n_made += made_by;
    n_idle++;
    pthread_mutex_unlock(&pool_lock);
    return arg;
}

static void *set_factory(void *arg)
{
    pthread_mutex_lock(&pool_lock);
    if (n_active > 0) {
        n_errors++;
    } else {
        factory = 2;
        has_new = 1;
    }
    pthread_mutex_unlock(&pool_lock);
    return arg;
}

static void *borrow(void *arg)
{
    pthread_mutex_lock(&pool_lock);
    n_active++;
    n_idle--;
    pthread_mutex_unlock(&pool_lock);
    return arg;
}

int main(void)
{
    pthread_t t[3] = {start(borrow, 3), start(set_factory, 2), start(make, 1)};
    join_all(t, 3);
    return 0;
}
