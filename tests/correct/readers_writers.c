/* SPDX-License-Identifier: Apache-2.0 */
/* Readers and writers by semaphores: the first reader locks writers out.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <semaphore.h>

#include "threads.h"

static pthread_mutex_t count = PTHREAD_MUTEX_INITIALIZER;
static sem_t room;
static int n_readers, low, high;

static void *reader(void *arg)
{
    pthread_mutex_lock(&count);
    if (++n_readers == 1)
        sem_wait(&room);
    pthread_mutex_unlock(&count);
    assert(low + high == 0);
    pthread_mutex_lock(&count);
    if (--n_readers == 0)
        sem_post(&room);
    pthread_mutex_unlock(&count);
    return arg;
}

static void *worker(void *arg)
{
    if (number_of(arg) > 0)
        return reader(arg);
    sem_wait(&room);
    low++;
    high--;
    sem_post(&room);
    return arg;
}

int main(void)
{
    sem_init(&room, 0, 1);
    run_threads(3, worker);
    sem_destroy(&room);
    return 0;
}
