/* SPDX-License-Identifier: Apache-2.0 */
/* A semaphore of two lets two in: they race.
 *
 * treadle: -k
 * expect: runs 21
 * expect: events 73
 * expect: verdict bug
 * expect: finding race sem_two.c:24
 *
 * treadle: --search=all -k
 * expect: runs 256
 * expect: events 163
 * expect: verdict bug
 * expect: finding race sem_two.c:24 */
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
    pthread_t a, b;
    sem_init(&s, 0, 2);
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
