/* SPDX-License-Identifier: Apache-2.0 */
/* A spin lock is destroyed while it is held.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 3
 * expect: verdict bug
 * expect: finding mutex spin_destroy_held.c:25
 * expect: ledger cut short spin_destroy_held.c:25
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 3
 * expect: verdict bug
 * expect: finding mutex spin_destroy_held.c:25
 * expect: ledger cut short spin_destroy_held.c:25 */
#include <pthread.h>

static pthread_spinlock_t l;

int main(void)
{
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&l);
    pthread_spin_destroy(&l);
    return 0;
}
