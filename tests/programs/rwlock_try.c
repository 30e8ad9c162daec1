/* SPDX-License-Identifier: Apache-2.0 */
/* trywrlock fails while anybody is inside, tryrdlock while a writer is.
 *
 * treadle: -k
 * expect: runs 4
 * expect: events 14
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 14
 * expect: events 34
 * expect: verdict complete */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *look(void *arg)
{
    int error = pthread_rwlock_tryrdlock(&l);
    assert(error == 0 || error == EBUSY);
    if (error == 0)
        pthread_rwlock_unlock(&l);
    return arg;
}

static void *change(void *arg)
{
    int error = pthread_rwlock_trywrlock(&l);
    assert(error == 0 || error == EBUSY);
    if (error == 0)
        pthread_rwlock_unlock(&l);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, look, NULL);
    pthread_create(&b, NULL, change, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
