/* SPDX-License-Identifier: Apache-2.0 */
/* A semaphore of zero makes one thread come after another.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 4
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 7
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

static void *give(void *arg)
{
    x = 1;
    sem_post(&s);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, give, NULL);
    sem_wait(&s);
    assert(x == 1);
    pthread_join(t, NULL);
    return 0;
}
