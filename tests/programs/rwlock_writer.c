/* SPDX-License-Identifier: Apache-2.0 */
/* Readers see all that a writer did, or nothing.
 *
 * treadle: -k
 * expect: runs 4
 * expect: events 23
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 391
 * expect: events 48
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;

static void *look(void *arg)
{
    pthread_rwlock_rdlock(&l);
    assert(x == y);
    pthread_rwlock_unlock(&l);
    return arg;
}

static void *change(void *arg)
{
    pthread_rwlock_wrlock(&l);
    x++;
    y++;
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, look, NULL);
    pthread_create(&t[1], NULL, look, NULL);
    pthread_create(&t[2], NULL, change, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
