/* SPDX-License-Identifier: Apache-2.0 */
/* Readers share the lock, a writer has it alone.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int low, high;

static void *worker(void *arg)
{
    if (number_of(arg) == 0) {
        pthread_rwlock_wrlock(&lock);
        low++;
        high--;
        pthread_rwlock_unlock(&lock);
        return arg;
    }
    pthread_rwlock_rdlock(&lock);
    assert(low + high == 0);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    return 0;
}
