/* SPDX-License-Identifier: Apache-2.0 */
/* An object that is made to be shared between processes, used by the threads of one.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: events 14
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 1
 * expect: events 11
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t m;
static pthread_cond_t c;
static sem_t s;
static int n;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    n++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    sem_post(&s);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t mutex;
    pthread_condattr_t cond;
    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&m, &mutex);
    pthread_condattr_init(&cond);
    pthread_condattr_setpshared(&cond, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&c, &cond);
    sem_init(&s, 1, 0);
    pthread_create(&t, NULL, worker, NULL);
    sem_wait(&s);
    pthread_mutex_lock(&m);
    assert(n == 1);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
