/* SPDX-License-Identifier: Apache-2.0 */
/* init and destroy are operations on the mutex.
 *
 * treadle: --search=all
 * expect: runs 35
 * expect: events 10
 * expect: traces 1
 * expect: verdict complete
 * model: main: create A, init m, lock m, unlock m, destroy m
 * model: A: 3* store x */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static pthread_mutex_t m;

static void *worker(void *arg)
{
    for (int i = 0; i < 3; i++)
        atomic_store(&x, i);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_init(&m, NULL);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_destroy(&m);
    pthread_exit(NULL);
}
