/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"
#ifndef N
#define N 4
#endif
atomic_int x;
void *thread(void *a)
{
    int n = (int)(long)a + 1, e = n - 1;
    atomic_compare_exchange_strong(&x, &e, n);
    return NULL;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        spawn(&t[i], thread, i);
    for (int i = 0; i < N; i++)
        join(t[i]);
#ifdef BUG
    assert(x != N);
#endif
    return 0;
}
