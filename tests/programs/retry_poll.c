/* SPDX-License-Identifier: Apache-2.0 */
/* Polling under a lock. A job that was refused is never done, and who waits for it sleeps and looks
 * for ever; FIXED does it all the same.
 *
 * treadle: -k
 * agree: -k --search=all
 * agree: -k --goal=traces
 * expect: runs 11
 * expect: events 48
 * expect: verdict bug
 * expect: finding livelock retry_poll.c:83
 *
 * treadle: -k
 * cflags: -DFIXED
 * agree: -k --search=all
 * agree: -k --goal=traces
 * expect: runs 11
 * expect: events 48
 * expect: verdict complete
 *
 * treadle: -k
 * cflags: -DWAITS
 * agree: -k --search=all
 * agree: -k --goal=traces
 * expect: runs 65
 * expect: events 372
 * expect: verdict bug
 * expect: finding livelock retry_poll.c:83
 *
 * treadle: -k
 * cflags: -DWAITS -DFIXED
 * agree: -k --search=all
 * agree: -k --goal=traces
 * expect: runs 45
 * expect: events 234
 * expect: verdict complete */
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int is_done, is_refused;

static void *work(void *arg)
{
    pthread_mutex_lock(&m);
#ifndef FIXED
    if (!is_refused)
#endif
        is_done = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *refuse(void *arg)
{
    pthread_mutex_lock(&m);
    is_refused = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

static int look(void)
{
    pthread_mutex_lock(&m);
#ifdef WAITS
    static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    if (!is_done)
        pthread_cond_timedwait(&c, &m, &until);
#endif
    int done = is_done;
    pthread_mutex_unlock(&m);
    return done;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, NULL, work, NULL);
    pthread_create(&r, NULL, refuse, NULL);
    while (!look())
        usleep(1000);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return is_refused == 0;
}
