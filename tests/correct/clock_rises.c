/* SPDX-License-Identifier: Apache-2.0 */
/* A clock that is read before a create, in the thread and after the join never runs backwards.
 *
 * treadle:
 * expect: verdict complete */
#include <time.h>

#include "threads.h"

static struct timespec before, inside;

static int is_later(const struct timespec *a, const struct timespec *b)
{
    return b->tv_sec > a->tv_sec || (b->tv_sec == a->tv_sec && b->tv_nsec >= a->tv_nsec);
}

static void *body(void *arg)
{
    clock_gettime(CLOCK_MONOTONIC, &inside);
    return arg;
}

int main(void)
{
    struct timespec after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    run_threads(1, body);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(is_later(&before, &inside) && is_later(&inside, &after));
    return 0;
}
