/* SPDX-License-Identifier: Apache-2.0 */
/* A time that a writer leaves is not later than that of its readers, nor theirs than that of the next writer.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

#include <time.h>
#include <unistd.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static long written;

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void *reader(void *arg)
{
    usleep(20);
    pthread_rwlock_rdlock(&lock);
    assert(now() >= written);
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *writer(void *arg)
{
    usleep(10);
    pthread_rwlock_wrlock(&lock);
    long n = now();
    assert(n >= written);
    written = n;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    run_two(reader, writer);
    assert(now() >= written);
    return 0;
}
