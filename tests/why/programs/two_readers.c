/* SPDX-License-Identifier: Apache-2.0 */
/* Both threads write, and both take the lock to read. */
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&l);
    hits++;
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
