/* SPDX-License-Identifier: Apache-2.0 */
/* deadlock01: two locks, two threads. After CS.deadlock01.
 *
 * Bug: they take the locks in opposite order. FIXED: in the same one. */
#include "../../programs/common.h"

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int n_done;

static void *worker(void *number)
{
#ifdef FIXED
    int first = 0;
    (void)number;
#else
    int first = (int)(intptr_t)number;
#endif
    pthread_mutex_lock(&lock[first]);
    pthread_mutex_lock(&lock[1 - first]);
    n_done++;
    pthread_mutex_unlock(&lock[1 - first]);
    pthread_mutex_unlock(&lock[first]);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    start_all(t, 2, worker);
    join_all(t, 2);
    return 0;
}
