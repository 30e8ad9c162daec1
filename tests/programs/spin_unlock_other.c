/* SPDX-License-Identifier: Apache-2.0 */
/* A spin lock is given back by who does not have it.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 3
 * expect: verdict bug
 * expect: finding mutex spin_unlock_other.c:23
 * expect: ledger cut short spin_unlock_other.c:23
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 3
 * expect: verdict bug
 * expect: finding mutex spin_unlock_other.c:23
 * expect: ledger cut short spin_unlock_other.c:23 */
#include <pthread.h>

static pthread_spinlock_t l;

static void *give(void *arg)
{
    pthread_spin_unlock(&l);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&l);
    pthread_create(&t, NULL, give, NULL);
    pthread_join(t, NULL);
    pthread_spin_unlock(&l);
    return 0;
}
