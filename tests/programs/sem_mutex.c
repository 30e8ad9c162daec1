/* SPDX-License-Identifier: Apache-2.0 */
/* A semaphore of one as a lock: three threads, 3! orders.
 *
 * treadle: -k
 * expect: runs 6
 * expect: events 40
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 184
 * expect: events 78
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

static void *add(void *arg)
{
    sem_wait(&s);
    x++;
    sem_post(&s);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    sem_init(&s, 0, 1);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(x == 3);
    sem_destroy(&s);
    return 0;
}
