/* SPDX-License-Identifier: Apache-2.0 */
/* A structure that does not fit into registers is passed by value, with the lock held.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

struct account {
    long items[8];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct account shared;

static __attribute__((noinline)) long last_of(struct account a)
{
    a.items[0]++; /* its own copy */
    return a.items[7];
}

static void *body(void *arg)
{
    pthread_mutex_lock(&lock);
    shared.items[7] = last_of(shared) + 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    run_threads(2, body);
    assert(shared.items[7] == 2 && shared.items[0] == 0);
    return 0;
}
