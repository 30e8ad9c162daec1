/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that waits for ever in a run that is stopped because the others sleep (dpor). */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int a0;
static sem_t s0;
static pthread_barrier_t b0;
static pthread_t handle[6];

static void *t2(void *arg)
{
    (void)arg;
    pthread_barrier_wait(&b0);
    sem_wait(&s0);
    return (void *)(intptr_t)(0);
}

static void *t1(void *arg)
{
    (void)arg;
    atomic_store(&a0, 1);
    return (void *)(intptr_t)(0);
}

int main(void)
{
    pthread_barrier_init(&b0, NULL, 2);
    sem_init(&s0, 0, 0);
    pthread_create(&handle[2], NULL, t1, (void *)2);
    pthread_create(&handle[3], NULL, t2, (void *)3);
    pthread_barrier_wait(&b0);
    sem_post(&s0);
    if (sem_trywait(&s0) == 0) {
        pthread_barrier_wait(&b0);
    }
    return 0;
}
