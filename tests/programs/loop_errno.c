/* SPDX-License-Identifier: Apache-2.0 */
/* The first round does nothing but set errno, which ends the loop in the second.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: traces 1
 * expect: verdict complete
 * treadle:
 * expect: runs 1
 * expect: events 3
 * expect: verdict complete
 * hand: 0 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t s;

static void *waits(void *arg)
{
    errno = 0;
    while (errno != EAGAIN) {
        if (sem_trywait(&s) == 0)
            break;
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, waits, NULL);
    pthread_join(t, NULL);
    return 0;
}
