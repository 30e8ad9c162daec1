/* SPDX-License-Identifier: Apache-2.0 */
/* A handler races with a thread that waits for the handler first.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race exit_race_later.c:19
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race exit_race_later.c:19 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t go;
static int n;
static void add(void)
{
    n++;
}

static void handler(void)
{
    sem_post(&go);
    add();
}

static void *body(void *arg)
{
    sem_wait(&go);
    add();
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&go, 0, 0);
    atexit(handler);
    pthread_create(&t, NULL, body, NULL);
    return 0;
}
