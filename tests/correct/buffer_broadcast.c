/* SPDX-License-Identifier: Apache-2.0 */
/* One condition for both sides is enough if a change wakes all.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_full, n_consumed;

static void change(int before)
{
    pthread_mutex_lock(&lock);
    while (is_full != before)
        pthread_cond_wait(&changed, &lock);
    is_full = !before;
    n_consumed += before;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

/* Two producers; the third one consumes what both brought. */
static void *worker(void *arg)
{
    if (number_of(arg) < 2) {
        change(0);
    } else {
        change(1);
        change(1);
    }
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    assert(n_consumed == 2);
    return 0;
}
