/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits needs somebody who wakes it, and a lock that was given back; a semaphore and a barrier on
 * the way.
 *
 * treadle: --goal=branches
 * expect: sides 7/8
 * expect: never branch_wait.c:44 1
 * expect: verdict complete
 *
 * treadle: --goal=branches --search=all
 * expect: sides 7/8
 * expect: never branch_wait.c:44 1
 * expect: verdict complete */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t both;
static sem_t done;
static int flag, value;

static void *producer(void *arg)
{
    pthread_mutex_lock(&lock);
    value = 5;
    flag = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    if (pthread_barrier_wait(&both) == PTHREAD_BARRIER_SERIAL_THREAD)
        sem_post(&done);
    return arg;
}

static void *consumer(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!flag)
        pthread_cond_wait(&ready, &lock);
    int seen = value;
    pthread_mutex_unlock(&lock);
    if (seen != 5)
        abort();
    if (pthread_barrier_wait(&both) == PTHREAD_BARRIER_SERIAL_THREAD)
        sem_post(&done);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&both, NULL, 2);
    sem_init(&done, 0, 0);
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    sem_wait(&done);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
