/* SPDX-License-Identifier: Apache-2.0 */
/* (i) N threads, each locks and unlocks one mutex K times and increments a
 * counter under it.  (NK)!/(K!)^N traces.  -DEMPTY: no shared access inside
 * the critical section.  */
#include "bench.h"
#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif
pthread_mutex_t m;
int count;

void *thread(void *arg)
{
    for (int k = 0; k < K; k++) {
        pthread_mutex_lock(&m);
#ifndef EMPTY
        count++;
#endif
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    pthread_mutex_init(&m, NULL);
    for (long i = 0; i < N; i++)
        spawn(&t[i], thread, i);
    for (int i = 0; i < N; i++)
        join(t[i]);
#ifndef EMPTY
    assert(count == N * K);
#endif
    return 0;
}
