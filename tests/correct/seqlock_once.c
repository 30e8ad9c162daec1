/* SPDX-License-Identifier: Apache-2.0 */
/* A sequence lock where a reader that was disturbed gives up.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint sequence;
static atomic_int low, high;

static void write_both(int n)
{
    pthread_mutex_lock(&writers);
    atomic_fetch_add(&sequence, 1);
    atomic_store(&low, n);
    atomic_store(&high, -n);
    atomic_fetch_add(&sequence, 1);
    pthread_mutex_unlock(&writers);
}

static void *worker(void *arg)
{
    int me = number_of(arg);
    if (me > 0) {
        write_both(me);
        return arg;
    }
    unsigned before = atomic_load(&sequence);
    int sum = atomic_load(&low) + atomic_load(&high);
    unsigned after = atomic_load(&sequence);
    if (before == after && before % 2 == 0)
        assert(sum == 0);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    return 0;
}
