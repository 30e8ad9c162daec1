/* SPDX-License-Identifier: Apache-2.0 */
/* The same, cleared too weakly.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race race_flag_lock.c:19
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_flag_lock.c:19 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int x;

static void try_once(void)
{
    if (!atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
        x++;
        atomic_flag_clear_explicit(&busy, memory_order_relaxed);
    }
}

static void *worker(void *arg)
{
    try_once();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    try_once();
    pthread_join(t, NULL);
    return 0;
}
