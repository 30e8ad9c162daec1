/* SPDX-License-Identifier: Apache-2.0 */
/* twostage [THREADS]: all threads but one write a number and then what follows from it, each
 * under a lock of its own; the last one reads both.
 *
 * After CS.twostage and "twostage_100". Bug: between the two stages the second number is not
 * there yet. FIXED: one lock for both. */
#include <assert.h>

#include "../../programs/common.h"

enum { MOST = 128 };

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int first, second;

/* From the first stage to the second. */
static void step(void)
{
#ifndef FIXED
    pthread_mutex_unlock(&lock[0]);
    pthread_mutex_lock(&lock[1]);
#endif
}

static void leave_stage(void)
{
#ifdef FIXED
    pthread_mutex_unlock(&lock[0]);
#else
    pthread_mutex_unlock(&lock[1]);
#endif
}

static void *writer(void *arg)
{
    pthread_mutex_lock(&lock[0]);
    first = 1;
    int seen = first;
    step();
    second = seen + 1;
    leave_stage();
    return arg;
}

static void *reader(void *arg)
{
    pthread_mutex_lock(&lock[0]);
    int seen = first;
    step();
    if (seen != 0)
        assert(second == seen + 1);
    leave_stage();
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    int n = size_arg(argc, argv, 1, 2, MOST);
    start_all(t, n - 1, writer);
    t[n - 1] = start(reader, n - 1);
    join_all(t, n);
    return 0;
}
