/* SPDX-License-Identifier: Apache-2.0 */
/* art: a number that rises by one in each thread, if that thread's input allows it.
 *
 * After the paper's own example art2 to art5 (-DN=2 to -DN=5): N + 1 threads, N inputs, 4 N branches,
 * and one more of them for each k: thread i meets i - 1 if all those before it have added one, in
 * that order. k = N - 1: then the assertion of the last thread fails. FIXED: the last thread knows
 * that it may be so. */
#include "subject.h"

#ifndef N
#define N 2
#endif

static pthread_mutex_t height_lock = PTHREAD_MUTEX_INITIALIZER;
static GUARDED int height;

static int read_height(void)
{
    lock(&height_lock);
    int h = height;
    unlock(&height_lock);
    return h;
}

static void write_height(int h)
{
    lock(&height_lock);
    height = h;
    unlock(&height_lock);
}

/* Nothing here depends on another thread. */
static void *first(void *arg)
{
    int in = treadle_int("in1"), step = 0;
    if (in > 10)
        step = 1;
    if (in < 100)
        write_height(step);
    return arg;
}

/* Each thread has branches of its own. */
#define NEXT(i)                                                                          \
    static void *next##i(void *arg)                                                      \
    {                                                                                    \
        int in = treadle_int("in" #i), step = 0;                                         \
        if (in == 10 * (i))                                                              \
            step = 1;                                                                    \
        int h = read_height();                                                           \
        if (h == (i)-1)                                                                  \
            write_height(h + step);                                                      \
        return arg;                                                                      \
    }

#if N > 2
NEXT(2)
#endif
#if N > 3
NEXT(3)
#endif
#if N > 4
NEXT(4)
#endif

static void *last(void *arg)
{
    int in = treadle_int("in"), step = 0;
    if (in == 10 * N)
        step = 1;
    int h = read_height();
#ifdef FIXED
    assert(h + step <= N);
#else
    assert(h + step != N);
#endif
    return arg;
}

static body *const bodies[N] = {
    first,
#if N > 2
    next2,
#endif
#if N > 3
    next3,
#endif
#if N > 4
    next4,
#endif
    last,
};

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        t[i] = start(bodies[i], i);
    join_all(t, N);
    return 0;
}
