/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of a structure are made under a lock and looked at without it.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

struct state {
    int a, b, c, d, e, f;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct state state;

static void *writer(void *arg)
{
    struct state next = {1, 1, 1, 1, 1, 1};
    pthread_mutex_lock(&lock);
    state = next;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *reader(void *arg)
{
    pthread_mutex_lock(&lock);
    struct state mine = state;
    pthread_mutex_unlock(&lock);
    assert(mine.a == mine.f);
    return arg;
}

int main(void)
{
    run_two(writer, reader);
    return 0;
}
