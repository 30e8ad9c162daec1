/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"
#ifndef N
#define N 8
#endif
atomic_int x[N];
int r[N];
void *thread(void *a)
{
    int i = (int)(long)a;
    x[i] = 1;
    r[i] = x[(i + 1) % N];
    return NULL;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        spawn(&t[i], thread, i);
    for (int i = 0; i < N; i++)
        join(t[i]);
    int any = 0;
    for (int i = 0; i < N; i++)
        any |= r[i];
#ifdef BUG
    int all = 1;
    for (int i = 0; i < N; i++)
        all &= r[i];
    assert(!all);
#else
    assert(any);
#endif
    return 0;
}
