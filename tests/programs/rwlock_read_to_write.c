/* SPDX-License-Identifier: Apache-2.0 */
/* A counter that is changed under a read lock.
 *
 * treadle: -k
 * expect: runs 5
 * expect: events 24
 * expect: verdict bug
 * expect: finding race rwlock_read_to_write.c:23
 *
 * treadle: --search=all -k
 * expect: runs 252
 * expect: events 44
 * expect: verdict bug
 * expect: finding race rwlock_read_to_write.c:23 */
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *change(void *arg)
{
    pthread_rwlock_rdlock(&l);
    x++;
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, change, NULL);
    pthread_create(&b, NULL, change, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
