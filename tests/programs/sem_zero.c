/* SPDX-License-Identifier: Apache-2.0 */
/* One post for two that wait.
 *
 * treadle: -k
 * expect: runs 2
 * expect: events 6
 * expect: verdict bug
 * expect: finding deadlock sem_zero.c:22
 *
 * treadle: --search=all -k
 * expect: runs 2
 * expect: events 9
 * expect: verdict bug
 * expect: finding deadlock sem_zero.c:22 */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *take(void *arg)
{
    sem_wait(&s);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&s, 0, 0);
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, NULL);
    sem_post(&s);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
