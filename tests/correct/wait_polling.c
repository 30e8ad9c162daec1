/* SPDX-License-Identifier: Apache-2.0 */
/* A loop polls a plain flag with a lock held in each round.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *writer(void *arg)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *reader(void *arg)
{
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&lock);
        seen = ready;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    run_two(writer, reader);
    return 0;
}
