/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads take many locks in one order: the search for deadlocks has much to look at. */
#include <pthread.h>

#define N 6

static pthread_mutex_t m[N];
static int count[N];

static void *work(void *p)
{
    int i = (int)(long)p;
    for (int k = 0; k < N; k++) {
        pthread_mutex_lock(&m[k]);
        count[k]++;
        if (k > 0 && (i + k) % 2)
            count[k] += i;
        pthread_mutex_unlock(&m[k]);
    }
    return p;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&m[i], 0);
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
