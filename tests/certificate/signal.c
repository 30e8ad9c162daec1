/* SPDX-License-Identifier: Apache-2.0 */
/* The main thread waits on a condition variable until two threads have come. */
#include <pthread.h>
static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *comes(void *p)
{
    pthread_mutex_lock(&m);
    n++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return p;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, comes, NULL);
    pthread_mutex_lock(&m);
    while (n < 2)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
