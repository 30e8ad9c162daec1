/* SPDX-License-Identifier: Apache-2.0 */
/* A flush that waits until a queue is empty, a second at a time, as a library of file formats did.
 * When the pool is shut down first the worker leaves the queue as it is, and the flush goes round for
 * ever; FIXED asks for that as well.
 *
 * treadle: -k
 * agree: -k --search=all
 * agree: -k --goal=traces
 * expect: runs 49
 * expect: events 259
 * expect: verdict bug
 * expect: finding livelock retry_flush.c:46
 * expect: says spins locking 'empty', which no other thread will lock
 *
 * treadle: -k
 * cflags: -DFIXED
 * agree: -k --search=all
 * agree: -k --goal=traces
 * expect: runs 19
 * expect: events 109
 * expect: verdict complete */
#include <pthread.h>
#include <sys/time.h>

static pthread_mutex_t pool = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER;
static int queued = 1, is_shut;

static void *worker(void *arg)
{
    pthread_mutex_lock(&pool);
    if (!is_shut) {
        queued--;
        pthread_cond_signal(&empty);
    }
    pthread_mutex_unlock(&pool);
    return arg;
}

static void flush(void)
{
    pthread_mutex_lock(&pool);
#ifdef FIXED
    while (queued > 0 && !is_shut) {
#else
    while (queued > 0) {
#endif
        struct timeval now;
        struct timespec until;
        gettimeofday(&now, NULL);
        until.tv_sec = now.tv_sec + 1;
        until.tv_nsec = now.tv_usec * 1000;
        pthread_cond_timedwait(&empty, &pool, &until);
    }
    pthread_mutex_unlock(&pool);
}

static void *shut(void *arg)
{
    pthread_mutex_lock(&pool);
    is_shut = 1;
    pthread_mutex_unlock(&pool);
    return arg;
}

int main(void)
{
    pthread_t w, s;
    pthread_create(&w, NULL, worker, NULL);
    pthread_create(&s, NULL, shut, NULL);
    flush();
    pthread_join(w, NULL);
    pthread_join(s, NULL);
    return 0;
}
