/* SPDX-License-Identifier: Apache-2.0 */
/* A lock made of an atomic_flag.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 4
 * expect: events 13
 * treadle: --search=all
 * expect: verdict complete
 * expect: runs 4
 * expect: events 25
 * expect: traces 4
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int x;

static void try_once(void)
{
    if (!atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
        x++;
        atomic_flag_clear_explicit(&busy, memory_order_release);
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
