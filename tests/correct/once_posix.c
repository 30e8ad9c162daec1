/* SPDX-License-Identifier: Apache-2.0 */
/* pthread_once: one makes it, all see it.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value, n_made;

static void make(void)
{
    value = 9;
    n_made++;
}

static void *worker(void *arg)
{
    pthread_once(&once, make);
    assert(value == 9);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    assert(n_made == 1);
    return 0;
}
