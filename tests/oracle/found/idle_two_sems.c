/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads wait for each other's semaphore only if both have read 1, which no run that covers
 * their local states needs to show. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t x, y;
static atomic_int v, w;

static void *first(void *arg)
{
    if (atomic_load(&v))
        sem_wait(&x);
    sem_post(&y);
    return arg;
}

static void *second(void *arg)
{
    if (atomic_load(&w))
        sem_wait(&y);
    sem_post(&x);
    return arg;
}

static void *third(void *arg)
{
    atomic_store(&v, 1);
    return arg;
}

static void *fourth(void *arg)
{
    atomic_store(&w, 1);
    return arg;
}

int main(void)
{
    void *(*const all[4])(void *) = {first, second, third, fourth};
    pthread_t t[4];
    sem_init(&x, 0, 0);
    sem_init(&y, 0, 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, all[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
