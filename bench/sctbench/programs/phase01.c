/* SPDX-License-Identifier: Apache-2.0 */
/* phase01: two threads go through two phases, each phase under its lock.
 *
 * After CS.phase01. Bug: whoever is in the second phase enters the first again while it has
 * both locks: it waits for itself, in every schedule. FIXED: it leaves the first before. */
#include "../../programs/common.h"

static pthread_mutex_t phase[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int n_passed;

static void *worker(void *arg)
{
    pthread_mutex_lock(&phase[0]);
    n_passed++;
#ifdef FIXED
    pthread_mutex_unlock(&phase[0]);
#endif
    pthread_mutex_lock(&phase[1]);
    pthread_mutex_unlock(&phase[1]);
    pthread_mutex_lock(&phase[0]);
    n_passed--;
    pthread_mutex_unlock(&phase[0]);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    start_all(t, 2, worker);
    join_all(t, 2);
    return 0;
}
