/* SPDX-License-Identifier: Apache-2.0 */
/* Who reads and wants to write waits for all readers, and so for itself.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 1
 * expect: verdict bug
 * expect: finding deadlock rwlock_upgrade.c:22
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 1
 * expect: verdict bug
 * expect: finding deadlock rwlock_upgrade.c:22 */
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l);
    return 0;
}
