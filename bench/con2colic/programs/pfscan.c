/* SPDX-License-Identifier: Apache-2.0 */
/* pfscan: main puts paths into a queue, two workers take and scan them.
 *
 * After the parallel file scanner: Table 1 has 3 threads, 2 inputs, k = 4. A worker takes a path and
 * says only then, in another critical section, that it is busy. Four reads of another thread's
 * writes: the worker's of length, name and size of the name, and main's of the length that is 0
 * again. Nobody is busy, so main thinks all is done, and the assertion that all matches were counted
 * fails, for a text that has a match. FIXED: taken and busy in one critical section. */
#include "subject.h"

enum { ROOM = 2, TEXT = 3 };

typedef struct path {
    int file, len;
} path;

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t match_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, less = PTHREAD_COND_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static GUARDED int queue_file[ROOM], queue_len[ROOM];
static GUARDED int n_queued, first_in, first_out, n_busy, is_closed, n_matches;
static char text[TEXT + 1] = "a?c", what;

static void put(path p)
{
    lock(&queue_lock);
    while (n_queued == ROOM)
        pthread_cond_wait(&less, &queue_lock);
    queue_file[first_in] = p.file;
    queue_len[first_in] = p.len;
    first_in = (first_in + 1) % ROOM;
    n_queued = n_queued + 1;
    pthread_cond_signal(&more);
    unlock(&queue_lock);
}

/* 0: closed and empty. */
static int take(path *p)
{
    lock(&queue_lock);
    while (n_queued == 0 && !is_closed)
        pthread_cond_wait(&more, &queue_lock);
    int has_one = n_queued > 0;
    if (has_one) {
        p->file = queue_file[first_out];
        p->len = queue_len[first_out];
        first_out = (first_out + 1) % ROOM;
        n_queued = n_queued - 1;
        pthread_cond_signal(&less);
#ifdef FIXED
        n_busy = n_busy + 1;
#endif
    }
    unlock(&queue_lock);
    return has_one;
}

static void close_queue(void)
{
    lock(&queue_lock);
    is_closed = 1;
    pthread_cond_broadcast(&more);
    unlock(&queue_lock);
}

static void change_busy(int by)
{
    lock(&queue_lock);
    n_busy = n_busy + by;
    if (n_busy == 0 && n_queued == 0)
        pthread_cond_signal(&idle);
    unlock(&queue_lock);
}

static int contains(char c)
{
    for (int i = 0; i < TEXT; i++)
        if (text[i] == c)
            return 1;
    return 0;
}

static void scan(path p)
{
    if (p.len == 0 || !contains(what))
        return;
    lock(&match_lock);
    n_matches = n_matches + 1;
    unlock(&match_lock);
}

static void *work(void *arg)
{
    path p = {0};
    while (take(&p)) {
#ifndef FIXED
        change_busy(1);
#endif
        scan(p);
        change_busy(-1);
    }
    return arg;
}

/* All that was put has been scanned. */
static void await_idle(void)
{
    lock(&queue_lock);
    while (n_queued > 0 || n_busy > 0)
        pthread_cond_wait(&idle, &queue_lock);
    unlock(&queue_lock);
}

int main(void)
{
    pthread_t t[2];
    what = treadle_i8("what");
    text[1] = treadle_i8("text");
    start_all(t, 2, work);
    put((path){.file = 1, .len = 5});
    await_idle();
    lock(&match_lock);
    int n_found = n_matches;
    unlock(&match_lock);
    assert(n_found == contains(what));
    close_queue();
    join_all(t, 2);
    return 0;
}
