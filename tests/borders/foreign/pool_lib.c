/* SPDX-License-Identifier: Apache-2.0 */
/* One thread that does jobs, with a lock and a condition variable. */
#include <pthread.h>

void pool_start(void);
void pool_put(void (*job)(void *), void *with);
void pool_stop(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_t worker;
static void (*jobs[8])(void *);
static void *args[8];
static int n_put, n_taken, is_over;

static void *work(void *p)
{
    pthread_mutex_lock(&m);
    for (;;) {
        while (n_put == n_taken && !is_over)
            pthread_cond_wait(&c, &m);
        if (n_put == n_taken)
            break;
        int i = n_taken++ % 8;
        pthread_mutex_unlock(&m);
        jobs[i](args[i]);
        pthread_mutex_lock(&m);
    }
    pthread_mutex_unlock(&m);
    return p;
}

void pool_start(void)
{
    pthread_create(&worker, 0, work, 0);
}

void pool_put(void (*job)(void *), void *with)
{
    pthread_mutex_lock(&m);
    jobs[n_put % 8] = job;
    args[n_put++ % 8] = with;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
}

void pool_stop(void)
{
    pthread_mutex_lock(&m);
    is_over = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(worker, 0);
}
