/* SPDX-License-Identifier: Apache-2.0 */
/* A lock that prefers writers, with readers that hold it once at a time.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#define _GNU_SOURCE
#include "threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int x, y;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    assert(x == y);
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    x++;
    y++;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    run_two(reader, writer);
    pthread_join(t, NULL);
    assert(x == 2 && y == 2);
    return 0;
}
