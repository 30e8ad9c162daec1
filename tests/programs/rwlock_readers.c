/* SPDX-License-Identifier: Apache-2.0 */
/* Readers do not order each other: one trace, whatever their number.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 9
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 1121
 * expect: events 16
 * expect: verdict complete */
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *look(void *arg)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, look, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
