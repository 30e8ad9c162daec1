/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded buffer whose semaphore of empty slots starts with one too many. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define SLOTS 2

static int buf[SLOTS], in, out;
static sem_t empty, full;

static void *produce(void *x)
{
    for (int i = 1; i <= 3; i++) {
        sem_wait(&empty);
        buf[in++ % SLOTS] = i;
        sem_post(&full);
    }
    return x;
}

int main(void)
{
    pthread_t t;
    sem_init(&empty, 0, SLOTS + 1);
    sem_init(&full, 0, 0);
    pthread_create(&t, 0, produce, 0);
    for (int i = 1; i <= 3; i++) {
        sem_wait(&full);
        int v = buf[out++ % SLOTS];
        assert(v == i);
        sem_post(&empty);
    }
    pthread_join(t, 0);
}
