/* SPDX-License-Identifier: Apache-2.0 */
/* A buffer of one place with condition variables, three producers and three consumers: the search for
 * threads that wait for ever takes long. */
#include <pthread.h>

#define N 3

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
static int n;

static void *produce(void *p)
{
    pthread_mutex_lock(&m);
    while (n == 1)
        pthread_cond_wait(&empty, &m);
    n++;
    pthread_cond_signal(&full);
    pthread_mutex_unlock(&m);
    return p;
}

static void *consume(void *p)
{
    pthread_mutex_lock(&m);
    while (n == 0)
        pthread_cond_wait(&full, &m);
    n--;
    pthread_cond_signal(&empty);
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_t a[N], b[N];
    for (int i = 0; i < N; i++) {
        pthread_create(&a[i], 0, produce, 0);
        pthread_create(&b[i], 0, consume, 0);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(a[i], 0);
        pthread_join(b[i], 0);
    }
    return 0;
}
