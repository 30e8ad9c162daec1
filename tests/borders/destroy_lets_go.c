/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that were woken at a barrier or condition variable have left it when its destruction returns: what it was in can
 * be freed. A free alone does not wait for them.
 *
 * treadle:
 * expect: verdict complete
 *
 * treadle:
 * cflags: -DCOND
 * expect: verdict complete
 *
 * treadle:
 * cflags: -DKEEP
 * expect: verdict bug
 * expect: finding memory destroy_lets_go.c:47 */
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;
static pthread_cond_t *cond;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;

#ifdef COND
static void *part(void *arg)
{
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void finish(void)
{
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_broadcast(cond);
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(cond);
    free(cond);
}
#else
static void *part(void *arg)
{
    pthread_barrier_t *b = barrier;
    if (pthread_barrier_wait(b) == PTHREAD_BARRIER_SERIAL_THREAD) {
#ifndef KEEP
        pthread_barrier_destroy(b);
#endif
        free(b);
    }
    return arg;
}

static void finish(void)
{
    part(NULL);
}
#endif

int main(void)
{
    pthread_t t;
    barrier = malloc(sizeof *barrier);
    cond = malloc(sizeof *cond);
    pthread_barrier_init(barrier, NULL, 2);
    pthread_cond_init(cond, NULL);
    pthread_create(&t, NULL, part, NULL);
    finish();
    pthread_join(t, NULL);
}
