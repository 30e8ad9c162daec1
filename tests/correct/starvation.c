/* SPDX-License-Identifier: Apache-2.0 */
/* Readers can keep a writer out as long as they come: not a bug.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

static pthread_mutex_t count = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_empty = PTHREAD_COND_INITIALIZER;
static int n_readers, value;

static void *reader(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&count);
        n_readers++;
        pthread_mutex_unlock(&count);
        pthread_mutex_lock(&count);
        if (--n_readers == 0)
            pthread_cond_signal(&is_empty);
        pthread_mutex_unlock(&count);
    }
    return arg;
}

static void *worker(void *arg)
{
    if (number_of(arg) > 0)
        return reader(arg);
    pthread_mutex_lock(&count);
    while (n_readers > 0)
        pthread_cond_wait(&is_empty, &count);
    value = 1;
    pthread_mutex_unlock(&count);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    assert(value == 1);
    return 0;
}
