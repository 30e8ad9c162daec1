/* SPDX-License-Identifier: Apache-2.0 */
/* A thread leaves through pthread_exit; its cleanup handler releases the lock.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void release(void *arg)
{
    pthread_mutex_unlock(arg);
}

static void *body(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(release, &lock);
    critical_section();
    pthread_exit(arg);
    pthread_cleanup_pop(0);
    return arg;
}

int main(void)
{
    run_threads(2, body);
    assert(n_sections == 2);
    return 0;
}
