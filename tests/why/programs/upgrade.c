/* SPDX-License-Identifier: Apache-2.0 */
/* Two readers of a read-write lock that both want to become its writer. */
#include <pthread.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int cache = -1;

static void *look(void *x)
{
    pthread_rwlock_rdlock(&rw);
    if (cache < 0) {
        pthread_rwlock_wrlock(&rw);
        cache = 1;
    }
    pthread_rwlock_unlock(&rw);
    return x;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, look, 0);
    look(0);
    pthread_join(t, 0);
}
