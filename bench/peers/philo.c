/* SPDX-License-Identifier: Apache-2.0 */
/* (b) Dining philosophers with mutexes.  N philosophers, K meals each.
 * -DORDERED: the last philosopher takes the forks in the other order, so
 * there is no deadlock.  Without it the program can deadlock.  */
#include "bench.h"
#ifndef N
#define N 3
#endif
#ifndef K
#define K 1
#endif
pthread_mutex_t fork_[N];
int meals[N];

void *philosopher(void *arg)
{
    int i = (int)(long)arg;
    int a = i, b = (i + 1) % N;
#ifdef ORDERED
    if (a > b) {
        int t = a;
        a = b;
        b = t;
    }
#endif
    for (int k = 0; k < K; k++) {
        pthread_mutex_lock(&fork_[a]);
        pthread_mutex_lock(&fork_[b]);
        meals[i]++;
        pthread_mutex_unlock(&fork_[b]);
        pthread_mutex_unlock(&fork_[a]);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_[i], NULL);
    for (long i = 0; i < N; i++)
        spawn(&t[i], philosopher, i);
    for (int i = 0; i < N; i++)
        join(t[i]);
    for (int i = 0; i < N; i++)
        assert(meals[i] == K);
    return 0;
}
