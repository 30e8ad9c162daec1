/* SPDX-License-Identifier: Apache-2.0 */
/* Each thread counts for itself and adds to the total now and then.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
static __thread int mine;

static void flush(void)
{
    pthread_mutex_lock(&lock);
    total += mine;
    pthread_mutex_unlock(&lock);
    mine = 0;
}

static void *worker(void *arg)
{
    for (int i = 0; i < 4; i++)
        if (++mine == 2)
            flush();
    return arg;
}

int main(void)
{
    run_threads(2, worker);
    assert(total == 8);
    return 0;
}
