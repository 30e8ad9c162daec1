/* SPDX-License-Identifier: Apache-2.0 */
/* A recursive lock held twice by one thread at a time.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

static pthread_mutex_t lock;
static int value;

static void add(int n)
{
    pthread_mutex_lock(&lock);
    value += n;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    int before = value;
    add(1);
    add(2);
    assert(value == before + 3);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attr);
    run_threads(2, worker);
    pthread_mutex_destroy(&lock);
    return 0;
}
