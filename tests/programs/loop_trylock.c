/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex and a semaphore, taken by trying again and again.
 *
 * treadle:
 * expect: runs 17
 * expect: events 47
 * expect: verdict complete */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;
static int count;

static void *worker(void *arg)
{
    while (sem_trywait(&s) != 0)
        sched_yield();
    while (pthread_mutex_trylock(&m) != 0)
        sched_yield();
    count++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, 0);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    sem_post(&s);
    sem_post(&s);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
