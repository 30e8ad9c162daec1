/* SPDX-License-Identifier: Apache-2.0 */
/* Waits until a semaphore counts two: a count of one is another state in which it waits.
 *
 * treadle: --search=all
 * expect: runs 21
 * expect: traces 8
 * expect: verdict complete
 * treadle:
 * expect: runs 8
 * expect: events 28
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t s;

static void *post(void *arg)
{
    sem_post(&s);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    int count = 0;
    sem_init(&s, 0, 0);
    pthread_create(&a, NULL, post, NULL);
    pthread_create(&b, NULL, post, NULL);
    do
        sem_getvalue(&s, &count);
    while (count < 2);
    assert(count == 2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
