/* SPDX-License-Identifier: Apache-2.0 */
/* Eighty detached threads, one at a time: a semaphore says that one is done.
 *
 * treadle:
 * expect: verdict complete */
#include <semaphore.h>

#include "threads.h"

static sem_t done;
static int n;

static void *body(void *arg)
{
    n++;
    sem_post(&done);
    return arg;
}

int main(void)
{
    sem_init(&done, 0, 0);
    for (int i = 0; i < 80; i++) {
        pthread_t t;
        pthread_create(&t, NULL, body, NULL);
        pthread_detach(t);
        sem_wait(&done);
    }
    assert(n == 80);
    return 0;
}
