/* SPDX-License-Identifier: Apache-2.0 */
/* Two readers that both want to write wait for each other.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 8
 * expect: verdict bug
 * expect: finding deadlock rwlock_upgrade_both.c:24
 *
 * treadle: --search=all -k
 * expect: runs 35
 * expect: events 8
 * expect: verdict bug
 * expect: finding deadlock rwlock_upgrade_both.c:24 */
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *upgrade(void *arg)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, upgrade, NULL);
    pthread_create(&b, NULL, upgrade, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
