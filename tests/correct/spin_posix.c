/* SPDX-License-Identifier: Apache-2.0 */
/* POSIX spin locks around a plain counter.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

static pthread_spinlock_t lock;

static void *worker(void *arg)
{
    for (int i = 0; i < 2; i++) {
        pthread_spin_lock(&lock);
        critical_section();
        pthread_spin_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    run_threads(2, worker);
    pthread_spin_destroy(&lock);
    assert(n_sections == 4);
    return 0;
}
