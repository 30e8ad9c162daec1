/* SPDX-License-Identifier: Apache-2.0 */
/* One thread goes round a loop while it holds the mutex that the other needs to end it.
 *
 * treadle: -k
 * expect: runs 2
 * expect: events 8
 * expect: verdict bug
 * expect: finding livelock loop_and_lock.c:28 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    atomic_store(&flag, 1);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    while (!atomic_load(&flag))
        continue;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
