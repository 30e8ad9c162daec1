/* SPDX-License-Identifier: Apache-2.0 */
/* sem_trywait fails if the count is zero, and sem_getvalue tells it.
 *
 * treadle: -k
 * expect: runs 3
 * expect: events 10
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 3
 * expect: events 19
 * expect: verdict complete */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *give(void *arg)
{
    sem_post(&s);
    return arg;
}

int main(void)
{
    pthread_t t;
    int value;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, give, NULL);
    if (sem_trywait(&s) != 0)
        assert(errno == EAGAIN);
    sem_getvalue(&s, &value);
    assert(value == 0 || value == 1);
    pthread_join(t, NULL);
    return 0;
}
