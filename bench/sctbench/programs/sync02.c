/* SPDX-License-Identifier: Apache-2.0 */
/* sync02: one thread waits for what another one has done.
 *
 * After CS.sync02. Bug: it looks before it takes the lock, so the signal can come between
 * the look and the wait, and nobody signals again. FIXED: it looks under the lock. */
#include <stdatomic.h>

#include "../../programs/common.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int is_done;

static void *doer(void *arg)
{
    pthread_mutex_lock(&lock);
    atomic_store(&is_done, 1);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

#ifdef FIXED
static void *waiter(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!atomic_load(&is_done))
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}
#else
static void *waiter(void *arg)
{
    if (!atomic_load(&is_done)) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}
#endif

int main(void)
{
    pthread_t t[2] = {start(doer, 0), start(waiter, 1)};
    join_all(t, 2);
    return 0;
}
