/* SPDX-License-Identifier: Apache-2.0 */
/* The same, but the mutex is taken when the loop is over.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 7
 * expect: verdict complete */
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
    while (!atomic_load(&flag))
        continue;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
