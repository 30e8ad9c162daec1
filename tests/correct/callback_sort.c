/* SPDX-License-Identifier: Apache-2.0 */
/* The comparison that qsort calls counts under a lock.
 *
 * treadle:
 * expect: verdict complete */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n_compared;

static int compare(const void *a, const void *b)
{
    pthread_mutex_lock(&lock);
    n_compared++;
    pthread_mutex_unlock(&lock);
    return *(const int *)a - *(const int *)b;
}

static void *body(void *arg)
{
    int pair[2] = {2, 1};
    qsort(pair, 2, sizeof pair[0], compare);
    assert(pair[0] == 1 && pair[1] == 2);
    return arg;
}

int main(void)
{
    run_threads(2, body);
    assert(n_compared >= 2);
    return 0;
}
