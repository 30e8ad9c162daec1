/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the post comes depends on what the poster sees; the waiter waits in any case. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t s;
static atomic_int is_waiting;

static void *waiter(void *arg)
{
    atomic_store(&is_waiting, 1);
    while (sem_wait(&s) != 0)
        ;
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, waiter, NULL);
    if (atomic_load(&is_waiting))
        sem_post(&s);
    pthread_join(t, NULL);
    return 0;
}
