/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"
#ifndef N
#define N 3
#endif
atomic_int x;
void *thread(void *a)
{
    int z = 0;
    atomic_compare_exchange_strong(&x, &z, 1);
    x = (int)(long)a + 3;
    return NULL;
}
int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        spawn(&t[i], thread, i);
    for (int i = 0; i < N; i++)
        join(t[i]);
    return 0;
}
